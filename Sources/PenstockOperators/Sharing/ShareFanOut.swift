// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import PenstockCore
public import Synchronization

/// The fan-out of `share(buffering:)`: one log of values, every member's position in it, and a policy that says how far
/// a member may lag.
///
/// It is related to ``ReplayFanOut``, but simpler for new members: nothing is replayed, so a member that joins on
/// another thread gets its position when the owner of the loop reaches its signal in the queue, and receives nothing
/// before its introduction is over. Hence no other thread reads the log, and it has no lock.
///
/// **The slowest member.** The number of members that wait at each value is kept beside the log, so the log begins at
/// the slowest member's position. With a bound, upstream has been asked for at most that many values beyond this
/// position; see ``ask()``.
///
/// **What is dropped.** With `.newest`, a member whose lag exceeds the limit moves ahead to the first value within it.
/// With `.oldest`, members have ``ShareLanes``. A member's outstanding demand is added to the limit: requested values
/// that only wait for a running delivery are not in excess.
///
/// All signals pass through one ``SerialQueue``, in one order. Each upstream subscription has a number, and signals of
/// a cancelled subscription are ignored.
@usableFromInline
internal final class ShareFanOut<Output, Failure: Error>: FanOutEngine, SharedUpstreamTarget {
  @usableFromInline
  internal enum Signal {
    case value(Output, generation: UInt)
    case completion(Subscribers.Completion<Failure>)
    case join(FanOutMember, generation: UInt)
    case remove(FanOutMember)
    /// A member has requested values.
    case serve(FanOutMember)
    /// Upstream's subscription has arrived.
    case open(SharedUpstream)
  }

  /// The state that any thread may access, under the queue's lock.
  @usableFromInline
  internal struct State: SerialState {
    /// The number of members.
    @usableFromInline internal var count = 0
    /// The upstream subscription, while there is one.
    @usableFromInline internal var upstream: SharedUpstream?
    /// The number of upstream subscriptions so far.
    @usableFromInline internal var generation: UInt = 0
    /// How often the number of members has risen from zero.
    @usableFromInline internal var arrivals: UInt = 0
    /// The completion, as soon as it has been accepted.
    @usableFromInline internal var ending: Subscribers.Completion<Failure>?

    @inlinable
    internal init() {}
  }

  @usableFromInline internal let calls = FanOutCalls(of: ShareFanOut.self, repeats: .kept)
  /// How many values upstream may be ahead of the slowest member; zero if it is asked for everything.
  @usableFromInline internal let bound: UInt
  /// The maximum number of values that wait for a member, apart from those that it has requested.
  @usableFromInline internal let limit: UInt
  @usableFromInline internal let grace: GracePeriod?
  @usableFromInline internal let queue = SerialQueue<Signal, State>()

  // These belong to the owner of the loop.

  @exclusivity(unchecked) @usableFromInline internal var members = FanOutMembers()
  /// The number of members in the list.
  @exclusivity(unchecked) @usableFromInline internal var present = 0
  /// The values that at least one member has not received.
  @exclusivity(unchecked) @usableFromInline internal var log: Deque<Output> = []
  /// The number of values so far; a member's `seen` counts the same way.
  @exclusivity(unchecked) @usableFromInline internal var end: UInt = 0
  /// For each value, how many members are to receive it next.
  @exclusivity(unchecked) @usableFromInline internal var waiting = WaitingCounts()
  /// How many members have moved on by one from the value ``movedFrom``, and are still counted at the old place; see
  /// ``serveLevel(_:)``.
  @exclusivity(unchecked) @usableFromInline internal var moved = 0
  @exclusivity(unchecked) @usableFromInline internal var movedFrom: UInt = 0
  /// Used in place of the log if members refuse values; a member's `seen` is then the number of its lane.
  @usableFromInline internal let lanes: ShareLanes<Output>?
  /// A value that is being given to one member after the other; see ``giveLevel(_:_:)``.
  @exclusivity(unchecked) @usableFromInline internal var given: GivenValue<Output>?
  /// The completion, once its turn has come.
  @exclusivity(unchecked) @usableFromInline internal var ending: Subscribers.Completion<Failure>?

  /// The number of the upstream subscription whose values are accepted.
  @exclusivity(unchecked) @usableFromInline internal var generation: UInt = 0
  /// Upstream, while it may be asked for more.
  @exclusivity(unchecked) @usableFromInline internal var source: SharedUpstream?
  /// The number of the last value for which upstream has been asked.
  @exclusivity(unchecked) @usableFromInline internal var asked: UInt = 0
  /// Whether a member has requested something since upstream was subscribed to.
  @exclusivity(unchecked) @usableFromInline internal var isWanted = false
  @exclusivity(unchecked) @usableFromInline internal var isAsking = false

  /// - Parameters:
  ///   - policy: What happens to a value for which a member has no demand.
  ///   - grace: How long upstream is kept without members; `nil` if it is not.
  @inlinable
  internal init(_ policy: ShareBufferingPolicy, grace: GracePeriod?) {
    var (bound, limit): (UInt, UInt) = (0, .max)
    var lanes: ShareLanes<Output>?
    switch policy {
    case .bounded(let count): bound = UInt(count)
    case .newest(let count): limit = UInt(count)
    case .oldest(let count): lanes = ShareLanes(limit: count)
    case .unbounded: break
    }
    (self.bound, self.limit, self.lanes, self.grace) = (bound, limit, lanes, grace)
    grace?.onExpiry { [weak self] in self?.expire($0) }
  }

  /// The number of the log's first value.
  @inlinable
  internal var start: UInt { end - UInt(log.count) }

  // MARK: Signals from upstream

  @inlinable
  internal static var subscriberName: String { "ShareBuffered" }

  @inlinable
  internal func send(_ value: Output, generation: UInt) {
    act({ add(value, generation) }, orQueue: .value(value, generation: generation))
  }

  @inlinable
  internal func send(_ completion: Subscribers.Completion<Failure>, from upstream: SharedUpstream) {
    let ended = queue.withLock { contents -> SharedUpstream? in
      guard contents.state.upstream === upstream else { return nil }
      contents.state.ending = completion
      return contents.state.upstream.take()
    }
    if ended == nil { return }
    grace?.stop()
    act({ end(with: completion) }, orQueue: .completion(completion))
  }

  @inlinable
  internal func add(_ value: Output, _ generation: UInt) {
    if generation != self.generation { return }
    if let lanes { return add(value, to: lanes) }
    let isLevel = log.isEmpty
    log.append(value)
    end += 1
    if log.count > waiting.capacity { waiting.grow(from: start, to: end - 1) }
    if isLevel { serveLevel(value) } else { serveAll() }
  }

  @inlinable @inline(never)
  internal func end(with completion: Subscribers.Completion<Failure>) {
    giveRest()
    ending = completion
    source = nil
    serveAll()
  }

  // MARK: The loop

  /// Acts at once if the calling thread owns the loop or can enter it; otherwise the signal is queued for the owner.
  @inlinable @inline(__always)
  internal func act(_ now: () -> Void, orQueue signal: @autoclosure () -> Signal) {
    let thread = currentThread()
    queue.perform(on: thread, now, orQueue: { append(signal(), thread) }, leave: { leave(thread) })
  }

  @inlinable @inline(never)
  internal func append(_ signal: Signal, _ thread: UInt) {
    if queue.append(signal, thread) { leave(thread) }
  }

  @inlinable @inline(__always)
  internal func leave(_ thread: UInt) {
    let hasRemoved = members.hasRemoved
    if !hasRemoved, queue.leave(thread) { return }
    leaveBusy(thread, isRefused: !hasRemoved)
  }

  /// The part of ``leave(_:)`` that is not on the fast path.
  @inlinable @inline(never)
  internal func leaveBusy(_ thread: UInt, isRefused: Bool) {
    queue.drain(thread, isRefused: isRefused, prepare: { if members.hasRemoved { discardRemoved() } }) { signal in
      switch signal {
      case .value(let value, let generation): add(value, generation)
      case .completion(let completion): end(with: completion)
      case .join(let member, let generation): add(introduced: member, generation)
      case .remove(let member): withdraw(member)
      case .serve(let member): serveOne(member)
      case .open(let upstream): begin(asking: upstream)
      }
      // No delivery is running here, whatever the signal was.
      if members.hasRemoved { discardRemoved() }
    }
  }

  // MARK: Deliveries

  @inlinable
  internal func serveAll() {
    queue.assertOwned()
    // A member that joins during a delivery needs no value that is already in the log.
    var place = 0
    let count = members.count
    while place < count {
      if let member = members[place] { member._withUnsafeGuaranteedRef { serve(here: $0) } }
      place += 1
    }
    trim()
  }

  @inlinable
  internal func serveOne(_ member: FanOutMember) {
    giveRest()
    if !isWanted, member.ledger.balance != .none { isWanted = true }
    serve(here: member)
    trim()
  }

  /// Delivers to a member the values that wait for it, as far as there is demand, and then the completion.
  @inlinable
  internal func serve(here member: FanOutMember) {
    if lanes == nil, !mustWait(member) {
      while true {
        let seen = member.seen.load(ordering: .relaxed)
        guard seen < end, member.ledger.takeOne() else { break }
        move(member, from: seen)
        member.deliver(log[Int(seen - start)])
      }
      member.endServing()
      if ending != nil { finish(member) }
    } else if lanes != nil {
      serveFromLane(member)
    }
    if limit != .max { dropExcess(of: member) }
  }

  /// Whether nothing may be delivered to a member: another thread is introducing it, or a delivery to it is running,
  /// whose loop will find what has arrived.
  @inlinable
  internal func mustWait(_ member: FanOutMember) -> Bool {
    if member.hasIntroduction, !isIntroduced(member) { return true }
    return !member.beginServing()
  }

  @inlinable
  internal func move(_ member: FanOutMember, from seen: UInt) {
    waiting[seen] -= 1
    waiting[seen + 1] += 1
    member.seen.store(seen + 1, ordering: .relaxed)
  }

  @inlinable @inline(never)
  internal func serveFromLane(_ member: FanOutMember) {
    guard let lanes, member.place != nil, !mustWait(member) else { return }
    let lane = Int(member.seen.load(ordering: .relaxed))
    // A member that has been removed has no lane any more.
    while member.place != nil, !lanes.isEmpty(lane), member.ledger.takeOne() {
      member.deliver(lanes.takeFirst(of: lane))
    }
    member.endServing()
    if ending != nil { finish(member) }
  }

  /// Delivers the completion to a member for which nothing waits.
  @inlinable @inline(never)
  internal func finish(_ member: FanOutMember) {
    guard let ending, member.place != nil else { return }
    let seen = member.seen.load(ordering: .relaxed)
    guard lanes?.isEmpty(Int(seen)) ?? (seen == end) else { return }
    remove(member)
    member.finish(ending)
  }

  /// Releases values that no member waits for, and asks for more.
  @inlinable
  internal func trim() {
    countMoved()
    while !log.isEmpty, waiting[start] == 0 {
      let old = log.removeFirst()
      // Its `deinit` may run any user code; no change is in progress here.
      withExtendedLifetime(old) {}
    }
    if source != nil { ask() }
  }

  // MARK: What is dropped

  /// Moves a member ahead whose lag exceeds the limit.
  @inlinable @inline(never)
  internal func dropExcess(of member: FanOutMember) {
    countMoved()
    while member.place != nil {
      let seen = member.seen.load(ordering: .relaxed)
      let balance = member.ledger.balance
      guard end - seen > limit, let requested = balance.max, end - seen - limit > UInt(requested) else { return }
      let value = log[Int(seen - start)]
      move(member, from: seen)
      member.countOverflow()
      member.noteDiscard(value, .bufferFull)
    }
  }

  /// Reports the values that waited for a member that has been removed.
  @inlinable @inline(never)
  internal func tell(of rest: [Output], lostBy member: FanOutMember) {
    for value in rest { member.noteDiscard(value, .ended) }
  }
}
