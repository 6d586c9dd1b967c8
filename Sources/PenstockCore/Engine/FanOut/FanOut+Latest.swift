// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import Synchronization

/// A fan-out that repeats its latest value to members that have not seen it.
extension FanOut {
  /// The latest value; `nil` in a fan-out that repeats none.
  @inlinable
  package var latest: Output? {
    queue.withLock { $0.state.latest.copyIfFull() }
  }

  /// Stores a value as the latest, and delivers it.
  ///
  /// The value gets its number and, if needed, its place in the queue in one step, so that values are delivered in the
  /// order of their numbers.
  ///
  /// - Parameter evenWhenClosed: Whether a value after the completion is still stored.
  @inlinable
  package func sendLatest(_ value: Output, evenWhenClosed: Bool) {
    let thread = currentThread()
    let entry = queue.enter(thread)
    var replaced: Output?
    var mustQueue = false
    let number = queue.withLock { contents -> UInt in
      let open = !closed.load(ordering: .relaxed)
      guard open || evenWhenClosed else { return 0 }
      replaced = contents.state.latest.replace(with: value)
      guard open else { return 0 }
      contents.state.number += 1
      mustQueue = contents.mustQueue(entry)
      if mustQueue { contents.signals.append(.value(value, number: contents.state.number)) }
      return contents.state.number
    }
    if number != 0, !mustQueue { deliver(value, number: number) }
    leave(thread, entry, hasQueued: mustQueue)
    if number == 0 { noteLate(value) }
    // Released here, outside the lock: its `deinit` may run any user code.
    _ = replaced
  }

  /// Delivers the latest value to a member that has just requested, if it has not seen that value.
  ///
  /// If signals are queued, the value that is the latest now is queued after them, because the member is to get later
  /// values in order.
  @_alwaysEmitIntoClient
  package func serve(_ member: FanOutMember) {
    guard hasUnseen(member) else { return }
    let thread = currentThread()
    // During its introduction a member is served at once, whatever is queued.
    let isStarting = member.isStarting(on: thread)
    let entry = isStarting ? .nested : queue.enter(thread)
    var present: (value: Output, number: UInt)?
    let hasQueued = queue.withLock { contents -> Bool in
      guard contents.state.number > member.seen.load(ordering: .relaxed),
        let latest = contents.state.latest.copyIfFull()
      else {
        return false
      }
      if contents.state.announced != 0 { contents.state.hasGivenOld = true }
      let number = contents.state.latestNumber
      guard !isStarting, contents.mustQueue(entry) else {
        present = (latest, number)
        return false
      }
      contents.signals.append(.present(latest, number: number, member))
      return true
    }
    if let present { member.offer(present.value, number: present.number) }
    leave(thread, entry, hasQueued: hasQueued)
  }

  /// Whether the latest value is one that a member has not seen.
  ///
  /// The member's ledger is credited before the lock is taken here, and a new value is stored under the lock before the
  /// ledger is read: one of the two sees the other, so a request never misses the latest value.
  @_alwaysEmitIntoClient
  package func hasUnseen(_ member: FanOutMember) -> Bool {
    queue.withLock { $0.state.number } > member.seen.load(ordering: .relaxed)
  }
}
