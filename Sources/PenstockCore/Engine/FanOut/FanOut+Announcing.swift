// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule

extension FanOut {
  /// Delivers a value before storing it as the latest.
  ///
  /// A value gets its number before it is announced. A member that requests during the announcement gets the previous
  /// value, and the new one as soon as that is the latest, so that the last value a member gets is never outdated. If
  /// two announcements overlap, the value with the higher number remains: one that was set during an announcement, by
  /// the same or another thread.
  ///
  /// If another thread is delivering, or if there are no members, the value becomes the latest at once: a caller never
  /// waits for another thread's delivery.
  @inlinable
  package func announce(_ value: Output) {
    let thread = currentThread()
    let entry = queue.enter(thread)
    var isOwner = true
    if case .busy = entry { isOwner = false }
    // The list may be read only by the owner.
    let isUnheard = isOwner && members.isEmpty
    var mustQueue = false
    // The replaced value is released at the end: its `deinit` may run any user code.
    var replaced: Output?
    let number = queue.withLock { contents -> UInt in
      contents.state.number += 1
      mustQueue = contents.mustQueue(entry)
      if mustQueue { contents.signals.append(.value(value, number: contents.state.number)) }
      if mustQueue || isUnheard {
        replaced = contents.state.latest.replace(with: value)
        contents.state.announced = 0
        // Members that got an older value get this one when its turn comes.
        contents.state.hasGivenOld = false
      } else {
        contents.state.announced += 1
      }
      return contents.state.number
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

  /// The work that is left for members that got the previous value during an announcement.
  @usableFromInline
  internal enum Rest {
    case nothing
    /// Deliver the new value to them.
    case delivery
    /// The new value has been queued.
    case queued
  }

  /// Stores an announced value as the latest, unless a newer value is.
  ///
  /// If signals are queued, the value is queued after them for members that got the previous one: one of those members
  /// may be joining.
  ///
  /// - Returns: The replaced value, and what is left to do.
  @inlinable
  internal func store(_ value: Output, number: UInt) -> (replaced: Output?, rest: Rest) {
    queue.withLock { contents in
      guard number > contents.state.latestNumber else { return (nil, .nothing) }
      let replaced = contents.state.latest.replace(with: value)
      contents.state.announced = contents.state.number - number
      guard contents.state.hasGivenOld else { return (replaced, .nothing) }
      contents.state.hasGivenOld = false
      if contents.signals.isEmpty { return (replaced, .delivery) }
      contents.signals.append(.value(value, number: number))
      return (replaced, .queued)
    }
  }
}
