// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule

extension FanOut {
  /// Tells the members of a value first, and makes it the latest after that.
  ///
  /// A value gets its number before it is told. While it is told, a member that asks is given the one from before; it
  /// gets the new one as well as soon as that is the latest, so that nobody ends on a stale value. Of two values whose
  /// announcements overlap the one with the higher number stays: one that was set from inside of an announcement, or on
  /// another thread during it.
  ///
  /// If another thread is delivering, or where nobody listens, the value becomes the latest at once: a caller is never
  /// made to wait for somebody else's delivery.
  @inlinable
  package func announce(_ value: Output) {
    let thread = currentThread()
    let entry = enter(thread)
    var isOwner = true
    if case .busy = entry { isOwner = false }
    // The list belongs to the owner.
    let isUnheard = isOwner && members.isEmpty
    var mustQueue = false
    // What is replaced is freed at the end, where its deinit may do what it likes.
    var replaced: Output?
    let number = shared.withLock { shared -> UInt in
      shared.number += 1
      mustQueue = shared.mustQueue(entry)
      if mustQueue { shared.queue.append(.value(value, number: shared.number)) }
      if mustQueue || isUnheard {
        replaced = value
        swap(&shared.latest, &replaced)
        shared.announced = 0
        // Those who were given an older one get this one, in its turn.
        shared.hasGivenOld = false
      } else {
        shared.announced += 1
      }
      return shared.number
    }
    if !mustQueue {
      if isUnheard {
        newest = number
      } else {
        deliver(value, number: number)
        let rest: Rest
        (replaced, rest) = store(value, number: number)
        switch rest {
        case .nothing: break
        case .delivery: deliver(value, number: number)
        case .queued: mustQueue = true
        }
      }
    }
    leave(thread, entry, hasQueued: mustQueue)
    _ = replaced
  }

  /// What is left to be done for members who were given the old value during an announcement.
  @usableFromInline
  internal enum Rest {
    case nothing
    /// They are to be given the new one.
    case delivery
    /// The new one is in the queue.
    case queued
  }

  /// Makes a value the latest after it has been told, unless a newer one is.
  ///
  /// Where signals are queued the value goes behind them for those who were given the old one: one of them may be joining.
  ///
  /// - Returns: What the value replaces, and what is left to be done.
  @inlinable
  internal func store(_ value: Output, number: UInt) -> (replaced: Output?, rest: Rest) {
    shared.withLock { shared in
      guard number > shared.number - shared.announced else { return (nil, .nothing) }
      var replaced: Output? = value
      swap(&shared.latest, &replaced)
      shared.announced = shared.number - number
      guard shared.hasGivenOld else { return (replaced, .nothing) }
      shared.hasGivenOld = false
      if shared.queue.isEmpty { return (replaced, .delivery) }
      shared.queue.append(.value(value, number: number))
      return (replaced, .queued)
    }
  }

  /// Lets all members go without a word, because nobody is left who could send to them.
  @inlinable
  package func dismiss() {
    act({ letGo() }, orQueue: .dismissal)
  }
}
