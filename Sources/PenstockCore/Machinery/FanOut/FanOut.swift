// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import Synchronization

/// The shape of publishers with many subscribers: subjects, and operators that share.
///
/// Values, attaches, detaches and the completion pass through one loop and one queue. Hence all subscribers see the
/// same order, whichever threads send, and no two deliveries overlap. ``FanOutBase`` is the untyped half.
///
/// A fan-out that repeats its latest value numbers its values from 1. A member never gets a value with a number that it
/// has seen, or a lower one, so its last value is never outdated.
@usableFromInline
package final class FanOut<Output, Failure: Error>: FanOutBase {
  @usableFromInline
  internal enum Signal {
    case value(Output, number: UInt)
    case completion(Subscribers.Completion<Failure>)
    case attach(FanOutMember)
    case detach(FanOutMember)
    /// The value that was the latest when a member requested.
    case present(Output, number: UInt, FanOutMember)
    case dismissal
  }

  /// The state that any thread may access, under the lock.
  @usableFromInline
  internal struct Shared {
    @usableFromInline internal var queue: Deque<Signal> = []
    /// The value that members who have not seen it get when they request.
    @usableFromInline internal var latest: Output?
    @usableFromInline internal var number: UInt
    /// How many of the highest numbers belong to values that are being announced, and become the latest afterwards.
    @usableFromInline internal var announced: UInt = 0
    /// Whether a member got the previous value while values were being announced.
    @usableFromInline internal var hasGivenOld = false
    /// The completion, as soon as it has been accepted.
    @usableFromInline internal var ending: Subscribers.Completion<Failure>?

    @inlinable
    internal init(repeating first: Output?) {
      latest = first
      number = first == nil ? 0 : 1
    }
  }

  /// The signals that have been taken from the queue and not yet performed.
  ///
  /// Accessed only by the owner of the loop.
  @exclusivity(unchecked) @usableFromInline internal var due: Deque<Signal> = []

  /// The largest number of signals whose storage is kept for reuse.
  @inlinable
  internal static var spareLimit: Int { 1_024 }

  /// The number of the latest value that has been delivered.
  ///
  /// Accessed only by the owner of the loop.
  @exclusivity(unchecked) @usableFromInline internal var newest: UInt = 0

  // State that all threads write comes last, a cache line apart from what the owner uses in each delivery.
  @usableFromInline internal let padding = CacheLine()
  @usableFromInline internal let shared: Guarded<Shared>

  /// - Parameter first: The value to repeat to members that have not seen it; `nil` for a fan-out that repeats none.
  @inlinable
  package init(repeating first: Output? = nil) {
    shared = Guarded(Shared(repeating: first))
    super.init(
      TypedWork(
        takeSnapshot: { unsafeDowncast($0, to: FanOut.self).takeSnapshot($1, $2) },
        detach: { unsafeDowncast($0, to: FanOut.self).leave($1) },
        hasUnseen: { unsafeDowncast($0, to: FanOut.self).hasUnseen($1) },
        catchUp: { unsafeDowncast($0, to: FanOut.self).catchUp($1) }),
      repeatsLatest: first != nil)
  }

  // MARK: Sending

  /// Delivers a value to every member with demand; queues it if another thread is delivering.
  @inlinable
  package func send(_ value: Output) {
    if closed.load(ordering: .relaxed) { return }
    act({ deliver(value, number: 0) }, orQueue: .value(value, number: 0))
  }

  /// Sends a value as the subject's own `send(_:)` does.
  @inlinable
  package func forward(_ value: Output) {
    if repeatsLatest { sendLatest(value, evenWhenClosed: false) } else { send(value) }
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
    let entry = enter(thread)
    // Exchanged with the previous value under the lock.
    var replaced: Output? = value
    var mustQueue = false
    let number = shared.withLock { shared -> UInt in
      let open = !closed.load(ordering: .relaxed)
      guard open || evenWhenClosed else { return 0 }
      swap(&shared.latest, &replaced)
      guard open else { return 0 }
      shared.number += 1
      mustQueue = shared.mustQueue(entry)
      if mustQueue { shared.queue.append(.value(value, number: shared.number)) }
      return shared.number
    }
    if number != 0, !mustQueue { deliver(value, number: number) }
    leave(thread, entry, hasQueued: mustQueue)
    // Released here, outside the lock: its `deinit` may run any user code.
    _ = replaced
  }

  /// Leaves the loop if this call has entered it, after performing what is queued.
  ///
  /// - Parameter hasQueued: Whether the calling thread has queued a signal.
  @inlinable @inline(__always)
  internal func leave(_ thread: UInt, _ entry: DrainLoop.Entry, hasQueued: Bool) {
    if case .entered = entry, !hasQueued { return leave(thread) }
    if hasQueued { leaveQueued(thread, entry) }
  }

  @inlinable @inline(never)
  internal func leaveQueued(_ thread: UInt, _ entry: DrainLoop.Entry) {
    if case .entered = entry {
      leaveBusy(thread, isQueued: true)
    } else if loop.announce(thread) {
      leave(thread)
    }
  }

  @inlinable
  internal func deliver(_ value: Output, number: UInt) {
    // Skips an outdated value: one with a higher number has been delivered already.
    if number < newest { return }
    newest = number
    // Members that join during the delivery are appended after `end`, and not served by it. A newer value sent from
    // within the delivery ends the loop.
    var place = 0
    let end = members.count
    while place < end, number == newest {
      if let member = members[place] {
        member._withUnsafeGuaranteedRef { $0.offer(value, number: number) }
      }
      place += 1
    }
  }

  /// Completes the stream for every member.
  ///
  /// Only the first call has an effect.
  @inlinable
  package func send(completion: Subscribers.Completion<Failure>) {
    let thread = currentThread()
    let entry = enter(thread)
    // In one step, so that a value or a new member is either before the completion or ignored.
    let (isAccepted, mustQueue) = shared.withLock { shared -> (Bool, Bool) in
      guard !closed.exchange(true, ordering: .relaxed) else { return (false, false) }
      shared.ending = completion
      let mustQueue = shared.mustQueue(entry)
      if mustQueue { shared.queue.append(.completion(completion)) }
      return (true, mustQueue)
    }
    if isAccepted, !mustQueue { complete(completion) }
    leave(thread, entry, hasQueued: mustQueue)
  }

  @inlinable
  internal func complete(_ completion: Subscribers.Completion<Failure>) {
    // No member is added any more, so the list only gets gaps.
    for place in members.indices {
      guard let reference = members[place] else { continue }
      reference._withUnsafeGuaranteedRef { member in
        remove(member)
        member.finish(completion)
      }
    }
  }

  // MARK: The loop

  /// Acts at once if the calling thread owns the loop or can enter it; otherwise the signal is queued for the owner.
  @inlinable @inline(__always)
  internal func act(_ now: () -> Void, orQueue signal: @autoclosure () -> Signal) {
    let thread = currentThread()
    switch enter(thread) {
    case .entered:
      now()
      leave(thread)
    case .nested:
      now()
    case .busy:
      queue(signal(), thread)
    }
  }

  // The next two are functions of their own, so that the path without contention is inlined into the sender.

  @inlinable @inline(never)
  internal func queue(_ signal: Signal, _ thread: UInt) {
    shared.withLock { $0.queue.append(signal) }
    if loop.announce(thread) { leave(thread) }
  }

  /// The part of `leave(_:)` that is not on the fast path.
  ///
  /// - Parameter isQueued: Whether ``DrainLoop/leave(_:)`` has refused to release the loop. It has cleared the mark
  ///   then, so only the caller will read the queue.
  @inlinable @inline(never)
  internal func leaveBusy(_ thread: UInt, isQueued: Bool) {
    if isQueued { performQueued() }
    while true {
      // The last signal's value may have been released by now, and its `deinit` may have removed a member.
      if !retired.isEmpty { clear() }
      if loop.leave(thread) { return }
      performQueued()
    }
  }

  @inlinable @inline(__always)
  internal func leave(_ thread: UInt) {
    let isClear = retired.isEmpty
    if isClear, loop.leave(thread) { return }
    leaveBusy(thread, isQueued: isClear)
  }

  @inlinable
  internal func performQueued() {
    // The two storages are exchanged, so that senders that queue all the time do not allocate each time.
    shared.withLock { swap(&due, &$0.queue) }
    let isKept = due.count <= Self.spareLimit
    while let signal = due.popFirst() {
      hasDue = !due.isEmpty
      switch signal {
      case .value(let value, let number): deliver(value, number: number)
      case .completion(let completion): complete(completion)
      case .attach(let member): _ = admit(member)
      case .detach(let member): remove(member)
      case .present(let value, let number, let member): member.offer(value, number: number)
      case .dismissal: letGo()
      }
      // No delivery is running here, whatever the signal was.
      if !retired.isEmpty { clear() }
    }
    if !isKept { due = [] }
  }

  // MARK: The latest value

  /// The latest value; `nil` in a fan-out that repeats none.
  @inlinable
  package var latest: Output? {
    shared.withLock { $0.latest }
  }

  /// Whether there is a value that a member has not seen.
  ///
  /// The member's ledger is credited before the lock is taken here, and a new value is stored under the lock before the
  /// ledger is read: one of the two sees the other, so a request never misses the latest value.
  @inlinable
  internal func hasUnseen(_ member: FanOutMember) -> Bool {
    shared.withLock { $0.number } > member.seen.load(ordering: .relaxed)
  }

  /// Delivers the latest value to a member that has just requested, if it has not seen that value.
  ///
  /// If signals are queued, the value that is the latest now is queued behind them, because the member is to get later
  /// values in order.
  @inlinable
  internal func catchUp(_ member: FanOutMember) {
    let thread = currentThread()
    var entry = loop.enter(thread)
    // During its introduction a member is served at once, whatever is queued.
    var isStarting = false
    if case .nested = entry {
      isStarting = member.starter.load(ordering: .relaxed) == thread
      if !isStarting, hasDue || loop.isAnnounced { entry = .busy }
    }
    var present: (value: Output, number: UInt)?
    let hasQueued = shared.withLock { shared -> Bool in
      guard shared.number > member.seen.load(ordering: .relaxed), let latest = shared.latest else { return false }
      if shared.announced != 0 { shared.hasGivenOld = true }
      let number = shared.number - shared.announced
      guard !isStarting, shared.mustQueue(entry) else {
        present = (latest, number)
        return false
      }
      shared.queue.append(.present(latest, number: number, member))
      return true
    }
    if let present { member.offer(present.value, number: present.number) }
    leave(thread, entry, hasQueued: hasQueued)
  }
}

extension FanOut.Shared {
  /// Whether a signal has to be queued.
  ///
  /// A signal in the queue that has not been announced yet counts, too: it may be a value with a lower number, or the
  /// attach of a member that is to receive this signal.
  ///
  /// - Parameter entry: How the calling thread has found the loop.
  @inlinable
  internal func mustQueue(_ entry: DrainLoop.Entry) -> Bool {
    if case .busy = entry { return true }
    return !queue.isEmpty
  }
}
