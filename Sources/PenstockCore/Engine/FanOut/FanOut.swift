// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import Synchronization

/// The shape of publishers with many subscribers: subjects, and operators that share.
///
/// Values, members that join or leave, and the completion pass through one ``SerialQueue``. Hence all subscribers see
/// the same order, whichever threads send, and no two deliveries overlap.
///
/// A fan-out that repeats its latest value numbers its values from 1. A member never gets a value with a number that it
/// has seen, or a lower one, so its last value is never outdated.
///
/// Plain variables are accessed only by the owner of the loop, which orders the accesses between threads. So run-time
/// exclusivity checks, which cost as much as a call, would find nothing.
@usableFromInline
package final class FanOut<Output, Failure: Error>: FanOutEngine {
  @usableFromInline
  internal enum Signal {
    case value(Output, number: UInt)
    case completion(Subscribers.Completion<Failure>)
    case join(FanOutMember)
    case remove(FanOutMember)
    /// The value that was the latest when a member requested.
    case present(Output, number: UInt, FanOutMember)
    /// All members are removed without a completion.
    case close
  }

  /// The state that any thread may access, under the queue's lock.
  @usableFromInline
  internal struct State: SerialState, ~Copyable {
    /// The value that members who have not seen it get when they request.
    @usableFromInline internal var latest = ValueSlot<Output>()
    /// Whether a member got the previous value while values were being announced.
    ///
    /// Declared after ``latest``, which seldom fills its last word: so it takes no memory of its own.
    @usableFromInline internal var hasGivenOld = false
    @usableFromInline internal var number: UInt
    /// How many of the highest numbers belong to values that are being announced, and become the latest afterwards.
    @usableFromInline internal var announced: UInt = 0
    /// The completion, as soon as it has been accepted.
    @usableFromInline internal var ending = ValueSlot<Subscribers.Completion<Failure>>()

    @_alwaysEmitIntoClient
    internal init() { number = 0 }

    @_alwaysEmitIntoClient
    internal init(repeating first: Output) {
      number = 1
      latest.put(first)
    }

    @usableFromInline
    internal mutating func empty() {
      // Not by `isUsed`: a call would look the types of the places up.
      if latest.hasHeap || (latest.isFull && !_isPOD(Output.self)) { latest.empty() }
      if ending.isFull || ending.hasHeap { ending.empty() }
    }

    /// The number of the latest value.
    @_alwaysEmitIntoClient
    internal var latestNumber: UInt { number - announced }
  }

  // All fields have a fixed layout, so that an object is freed without a look at its type. The loop's word, to which
  // all threads write, comes first; the fields that the owner changes while it delivers come last, a cache line away.

  @usableFromInline internal let queue: SerialQueue<Signal, State>

  /// Whether a completion has been accepted, though perhaps not delivered: later sends are ignored.
  @usableFromInline internal let closed = AtomicCell(false)

  /// The subject's upstream subscriptions.
  ///
  /// Stored here rather than in the subject, so that an upstream can feed the subject without keeping it alive. A
  /// subject that repeats its latest value requests from upstream at once, any other on its first subscriber's request.
  @usableFromInline internal let upstream: UpstreamSubscriptions

  @usableFromInline package let calls: FanOutCalls

  @exclusivity(unchecked) @usableFromInline package var members = FanOutMembers()

  /// The number of the latest value that has been delivered.
  @exclusivity(unchecked) @usableFromInline internal var newest: UInt = 0

  /// Creates a fan-out that repeats no value.
  @_alwaysEmitIntoClient
  package init() {
    calls = FanOutCalls(of: FanOut.self, repeats: .nothing)
    upstream = UpstreamSubscriptions(open: false)
    queue = SerialQueue()
  }

  /// Creates a fan-out that repeats its latest value to members that have not seen it.
  ///
  /// - Parameter first: The first value to repeat.
  @_alwaysEmitIntoClient
  package init(repeating first: Output) {
    calls = FanOutCalls(of: FanOut.self, repeats: .latest)
    upstream = UpstreamSubscriptions(open: true)
    queue = SerialQueue(State(repeating: first))
  }

  // MARK: Sending

  /// Delivers a value to every member with demand; queues it if another thread is delivering.
  @inlinable
  package func send(_ value: Output) {
    if closed.load(ordering: .relaxed) { return noteLate(value) }
    act({ deliver(value, number: 0) }, orQueue: .value(value, number: 0))
  }

  /// Reports a value that comes after the end.
  @inlinable @inline(never)
  internal func noteLate(_ value: Output) { noteDiscard(value, .late, by: nil) }

  /// Sends a value as the subject's own `send(_:)` does.
  @_alwaysEmitIntoClient
  package func forward(_ value: Output) {
    if calls.repeats == .latest { sendLatest(value, evenWhenClosed: false) } else { send(value) }
  }

  @inlinable
  internal func deliver(_ value: Output, number: UInt) {
    queue.assertOwned()
    // Skips an outdated value: one with a higher number has been delivered already.
    if number < newest { return }
    // Compared first: most fan-outs do not number their values.
    if number != newest { newest = number }
    // Members that join during the delivery are appended after `end`, and not served by it. A newer value sent from
    // within the delivery ends the loop.
    let end = members.count
    if end == 0 { return }
    // A table that is made during the delivery is for members that are not served by it.
    let table = members.unretainedTable
    var place = 0
    var next = members[0]
    while true {
      if let member = next {
        member._withUnsafeGuaranteedRef { $0.offer(value, number: number) }
      }
      place += 1
      guard place < end, number == newest else { return }
      // There was more than one member, and so a table.
      next = table.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.list[place] }
    }
  }

  /// Completes the stream for every member.
  ///
  /// Only the first call has an effect.
  @inlinable
  package func send(completion: Subscribers.Completion<Failure>) {
    let thread = currentThread()
    let entry = queue.enter(thread)
    // In one step, so that a value or a new member is either before the completion or ignored.
    let (isAccepted, mustQueue) = queue.withLock { contents -> (Bool, Bool) in
      guard !closed.exchange(true, ordering: .relaxed) else { return (false, false) }
      contents.state.ending.put(completion)
      let mustQueue = contents.mustQueue(entry)
      if mustQueue { contents.signals.append(.completion(completion)) }
      return (true, mustQueue)
    }
    if isAccepted, !mustQueue { finishAll(completion) }
    leave(thread, entry, hasQueued: mustQueue)
  }

  @inlinable
  internal func finishAll(_ completion: Subscribers.Completion<Failure>) {
    queue.assertOwned()
    // No member is added any more, so the list only gets gaps.
    for place in members.indices {
      guard let reference = members[place] else { continue }
      reference._withUnsafeGuaranteedRef { member in
        members.remove(member)
        member.finish(completion)
      }
    }
  }

  /// Removes all members without a completion, because no sender is left.
  @inlinable
  package func close() {
    act({ closeAll() }, orQueue: .close)
  }

  @inlinable
  internal func closeAll() {
    queue.assertOwned()
    for place in members.indices {
      guard let reference = members[place] else { continue }
      reference._withUnsafeGuaranteedRef { member in
        _ = member.ledger.close()
        members.remove(member)
      }
    }
  }

  // MARK: The loop

  @_alwaysEmitIntoClient
  package var isDraining: Bool { queue.isPerforming }

  /// Acts at once if the calling thread owns the loop or can enter it; otherwise the signal is queued for the owner.
  @inlinable @inline(__always)
  internal func act(_ now: () -> Void, orQueue signal: @autoclosure () -> Signal) {
    let thread = currentThread()
    queue.perform(on: thread, now, orQueue: { append(signal(), thread) }, leave: { leave(thread) })
  }

  // `append` and `leaveBusy` are functions of their own, so that the path without contention is inlined into the
  // sender.

  @inlinable @inline(never)
  internal func append(_ signal: Signal, _ thread: UInt) {
    if queue.append(signal, thread) { leave(thread) }
  }

  /// Leaves the loop, after performing what is queued.
  @_alwaysEmitIntoClient @inline(__always)
  internal func leave(_ thread: UInt) {
    let hasRemoved = members.hasRemoved
    if !hasRemoved, queue.leave(thread) { return }
    leaveBusy(thread, isRefused: !hasRemoved)
  }

  /// Leaves the loop if this call has entered it.
  ///
  /// - Parameter hasQueued: Whether the calling thread has queued a signal.
  @_alwaysEmitIntoClient @inline(__always)
  internal func leave(_ thread: UInt, _ entry: DrainLoop.Entry, hasQueued: Bool) {
    if case .entered = entry, !hasQueued { return leave(thread) }
    if hasQueued { leaveQueued(thread, entry) }
  }

  @inlinable @inline(never)
  internal func leaveQueued(_ thread: UInt, _ entry: DrainLoop.Entry) {
    if case .entered = entry {
      leaveBusy(thread, isRefused: true)
    } else if queue.announce(thread) {
      leave(thread)
    }
  }

  /// The part of `leave(_:)` that is not on the fast path.
  @inlinable @inline(never)
  internal func leaveBusy(_ thread: UInt, isRefused: Bool) {
    // The last signal's value may have been released when the loop is left, and its `deinit` may have removed a member.
    queue.drain(
      thread, isRefused: isRefused,
      prepare: { if members.hasRemoved { discardRemoved() } }
    ) { signal in
      switch signal {
      case .value(let value, let number): deliver(value, number: number)
      case .completion(let completion): finishAll(completion)
      case .join(let member): _ = members.add(introduced: member)
      case .remove(let member): members.remove(member)
      case .present(let value, let number, let member): member.offer(value, number: number)
      case .close: closeAll()
      }
      // No delivery is running here, whatever the signal was.
      if members.hasRemoved { discardRemoved() }
    }
  }
}
