// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import Synchronization

/// The shape of publishers that feed many subscribers from one place: subjects, and what is built on them.
///
/// Values, attaching, detaching and the completion go through one loop and one queue. Hence all subscribers see one
/// order, whoever sends, and no two deliveries overlap. ``Membership`` has the part that depends on no type.
///
/// A fan-out that repeats its latest value numbers its values from 1. A member who has seen a number is not given that
/// one or an earlier one again, so it can never end on a stale value.
@usableFromInline
package final class FanOut<Output, Failure: Error>: Membership {
  @usableFromInline
  internal enum Signal {
    case value(Output, number: UInt)
    case completion(Subscribers.Completion<Failure>)
    case attach(Conduit)
    case detach(Conduit)
    /// The value that was the latest when a member asked.
    case present(Output, number: UInt, Conduit)
    case dismissal
  }

  /// What any thread may reach, under the lock.
  @usableFromInline
  internal struct Shared {
    @usableFromInline internal var queue: Deque<Signal> = []
    /// The value that members who have not seen it get when they ask.
    @usableFromInline internal var latest: Output?
    @usableFromInline internal var number: UInt
    /// How many of the newest numbers belong to values that are being announced, and become the latest after that.
    @usableFromInline internal var announced: UInt = 0
    /// Whether a member was given the value from before the ones that are being announced.
    @usableFromInline internal var hasGivenOld = false
    /// How the stream ends, as soon as that has been accepted.
    @usableFromInline internal var ending: Subscribers.Completion<Failure>?

    @inlinable
    internal init(repeating first: Output?) {
      latest = first
      number = first == nil ? 0 : 1
    }
  }

  /// What has been taken from the queue, and has not had its turn.
  ///
  /// Belongs to the owner of the loop.
  @exclusivity(unchecked) @usableFromInline internal var due: Deque<Signal> = []

  /// The number of signals beyond which their storage is freed.
  @inlinable
  internal static var spareLimit: Int { 1_024 }

  /// The number of the newest value that has been delivered.
  ///
  /// Belongs to the owner of the loop.
  @exclusivity(unchecked) @usableFromInline internal var newest: UInt = 0

  // What all threads write to comes last, a cache line away from what the owner uses for each delivery.
  @usableFromInline internal let padding = CacheLine()
  @usableFromInline internal let shared: Guarded<Shared>

  /// - Parameter first: The value to repeat to members who have not seen it; `nil` for a fan-out that repeats none.
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

  /// Delivers a value to every member that has asked for one; queues it if another thread is delivering.
  @inlinable
  package func send(_ value: Output) {
    if closed.load(ordering: .relaxed) { return }
    act({ deliver(value, number: 0) }, orQueue: .value(value, number: 0))
  }

  /// Does with a value what the subject's own `send(_:)` does.
  @inlinable
  package func pass(_ value: Output) {
    if repeatsLatest { sendLatest(value, evenWhenClosed: false) } else { send(value) }
  }

  /// Makes a value the latest, and delivers it.
  ///
  /// The value gets its number and, where that is needed, its place in the queue in one step, so that the values leave
  /// in the order of their numbers.
  ///
  /// - Parameter evenWhenClosed: Whether a value that comes after the end is still kept.
  @inlinable
  package func sendLatest(_ value: Output, evenWhenClosed: Bool) {
    let thread = currentThread()
    let entry = enter(thread)
    // Changes places with the one before.
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
    // Freed only here, where its deinit may do what it likes.
    _ = replaced
  }

  /// Leaves the loop if it has been entered, when what is queued has had its turn.
  ///
  /// - Parameter hasQueued: Whether the calling thread has put a signal into the queue.
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
    // An older value that comes late, or that is overtaken by one sent from inside of this delivery, is not news.
    if number < newest { return }
    newest = number
    // Members who join during the delivery come behind the ones counted here.
    var place = 0
    let end = members.count
    while place < end, number == newest {
      if let member = members[place] {
        member._withUnsafeGuaranteedRef { $0.offer(value, number: number) }
      }
      place += 1
    }
  }

  /// Ends the stream for every member.
  ///
  /// Only the first call counts.
  @inlinable
  package func send(completion: Subscribers.Completion<Failure>) {
    let thread = currentThread()
    let entry = enter(thread)
    // In one step, so that a value or a new member comes either before the end or not at all.
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
    // Nobody joins any more, so from here on the list only gets gaps.
    for place in members.indices {
      guard let reference = members[place] else { continue }
      reference._withUnsafeGuaranteedRef { member in
        remove(member)
        member.finish(completion)
      }
    }
  }

  // MARK: The loop

  /// Acts at once where the calling thread owns the loop, or comes to; otherwise the signal is left to the owner.
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

  // These two are apart from the way that a value goes when the loop is free, so that this is inlined where it is sent.

  @inlinable @inline(never)
  internal func queue(_ signal: Signal, _ thread: UInt) {
    shared.withLock { $0.queue.append(signal) }
    if loop.announce(thread) { leave(thread) }
  }

  /// - Parameter isQueued: Whether the loop has refused to be left. It has taken its mark back, so nobody but the caller
  ///   will look into the queue.
  @inlinable @inline(never)
  internal func leaveBusy(_ thread: UInt, isQueued: Bool) {
    if isQueued { performQueued() }
    while true {
      // The last signal may have died with a value whose deinit made a member leave.
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
    // The storage goes to and fro, so that senders who queue all the time allocate nothing.
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
  /// Its ledger was credited before the lock is taken here, and a new value is stored under the lock before the ledger
  /// is read: one of the two sees the other, so a request never misses the latest value.
  @inlinable
  internal func hasUnseen(_ member: Conduit) -> Bool {
    shared.withLock { $0.number } > member.seen.load(ordering: .relaxed)
  }

  /// Gives a member that has just asked for values the latest one, if it has not seen that.
  ///
  /// If others are queued it gets the one that is the latest now, behind them: it is owed what comes after that in order.
  @inlinable
  internal func catchUp(_ member: Conduit) {
    let thread = currentThread()
    var entry = loop.enter(thread)
    // From inside of its introduction it is answered at once, whatever is queued.
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
  /// Whether a signal has to go behind others, seen from a thread that has found the loop in a given way.
  ///
  /// What is queued and not announced yet counts, too: its number is lower, or it is a member that is to get what comes.
  @inlinable
  internal func mustQueue(_ entry: DrainLoop.Entry) -> Bool {
    if case .busy = entry { return true }
    return !queue.isEmpty
  }
}
