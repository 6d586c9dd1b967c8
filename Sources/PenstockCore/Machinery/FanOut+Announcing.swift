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
    let entry = loop.enter(thread)
    // The list belongs to the owner.
    let isUnheard = entry != .busy && members.isEmpty
    var mustQueue = false
    // What is replaced is freed at the end, where its deinit may do what it likes.
    var replaced: Output?
    let number = shared.withLock { shared -> UInt in
      shared.number += 1
      mustQueue = entry == .busy || (entry == .entered && !shared.queue.isEmpty)
      if mustQueue { shared.queue.append(.value(value, number: shared.number)) }
      if mustQueue || isUnheard {
        replaced = value
        swap(&shared.latest, &replaced)
        shared.announced = 0
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
        replaced = store(value, number: number)
        if hasGivenOld {
          hasGivenOld = false
          deliver(value, number: number)
        }
      }
    }
    if entry == .entered {
      if mustQueue { performQueued() }
      leave(thread)
    } else if mustQueue, loop.announce(thread) {
      leave(thread)
    }
    _ = replaced
  }

  /// Makes a value the latest after it has been told, unless a newer one is.
  ///
  /// - Returns: What it replaces.
  @inlinable
  internal func store(_ value: Output, number: UInt) -> Output? {
    shared.withLock { shared in
      guard number > shared.number - shared.announced else { return nil }
      var replaced: Output? = value
      swap(&shared.latest, &replaced)
      shared.announced = shared.number - number
      return replaced
    }
  }

  /// Lets all members go without a word, because nobody is left who could send to them.
  @inlinable
  package func dismiss() {
    act({ letGo() }, orQueue: { append(.dismissal) })
  }
}
