// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import PenstockCore
public import Synchronization

/// The fan-out of `shareReplay` and `ReplaySubject`: one log of values, and every member's position in it.
///
/// A value enters the log before it is delivered, and each member reads the log at its own pace, as far as its demand
/// reaches. So no member misses a value or gets one twice, whenever it joins. The log keeps the values that the slowest
/// member has not received, and at least those that are replayed to new members. The number of members that wait at
/// each value is kept beside the log, so values that are no longer needed are found without a search through the
/// members.
///
/// All signals pass through one ``SerialQueue``, in one order.
///
/// A thread that joins while another thread delivers reads the log to take a snapshot; see ``Introduction``. So the
/// owner changes the log under the lock, with one exception that saves the lock for most values: a thread that has just
/// entered the loop adds its value without the lock. Other threads do not read the log before that thread has marked it
/// as stable; and once a joining thread has announced itself, the loop is neither left nor entered without the lock.
@usableFromInline
internal final class ReplayFanOut<Output, Failure: Error>: FanOutEngine, SharedUpstreamTarget {
  @usableFromInline internal typealias Signal = ReplaySignal<Output, Failure>
  @usableFromInline internal typealias Log = ReplayLog<Output, Failure>

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
    /// Whether upstream has completed, or has been cancelled for good.
    @usableFromInline internal var isOver = false
    /// The number of members that are queued to join, and the first value that they need.
    ///
    /// A value may have become too old since such a member's replay was fixed.
    @usableFromInline internal var joining: (count: Int, start: UInt) = (0, .max)

    @inlinable
    internal init() {}
  }

  @usableFromInline internal let calls = FanOutCalls(of: ReplayFanOut.self, repeats: .all)
  @usableFromInline internal let capacity: Int
  /// Whether the upstream subscription is cancelled, and the log cleared, when the last member has left.
  @usableFromInline internal let isCounted: Bool
  /// How long the upstream subscription is kept without members; `nil` if it is not.
  @usableFromInline internal let grace: GracePeriod?
  /// The ages of the values, if values are not replayed beyond a certain age.
  @usableFromInline internal let ages: ReplayAges?
  @usableFromInline internal let queue = SerialQueue<Signal, State>()

  /// Changed by the owner of the loop: under the lock, or while it is not stable.
  @exclusivity(unchecked) @usableFromInline internal var log = Log()
  /// Whether the owner changes the log only under the lock; `false` while the loop is free.
  ///
  /// Released by the owner after an unlocked change, and acquired by a joining thread before it reads the log.
  @usableFromInline internal let isStable = AtomicCell(false)

  // These belong to the owner of the loop.

  @exclusivity(unchecked) @usableFromInline internal var members = FanOutMembers()
  /// The number of the first value that is young enough, as known when a value was added or a member joined.
  @exclusivity(unchecked) @usableFromInline internal var firstYoung: UInt = 0
  /// For each value, how many members are to receive it next.
  @exclusivity(unchecked) @usableFromInline internal var waiting = WaitingCounts()

  /// - Parameters:
  ///   - capacity: The number of values to replay to new members.
  ///   - isCounted: Whether to start again when the last member has left.
  ///   - ages: The ages of the values, if values are not replayed beyond a certain age.
  ///   - grace: How long to wait before that; `nil` to do it at once.
  @inlinable
  internal init(capacity: Int, isCounted: Bool, ages: ReplayAges? = nil, grace: GracePeriod? = nil) {
    self.capacity = capacity
    self.isCounted = isCounted
    self.ages = ages
    self.grace = grace
    grace?.onExpiry { [weak self] in self?.expire($0) }
  }

  /// Upstream's subscription, for tools.
  internal var currentUpstream: BaseSubscription? {
    queue.withLock { $0.state.upstream }?.slot.base
  }

  // MARK: Signals from upstream

  @inlinable
  internal static var subscriberName: String { "ShareReplay" }

  /// All values are wanted at any time.
  @inlinable
  internal func open(_ upstream: SharedUpstream) { upstream.slot.request(.unlimited) }

  @inlinable
  internal func send(_ value: Output, generation: UInt) {
    let thread = currentThread()
    switch queue.enter(thread) {
    case .entered:
      add(value, generation: generation)
      leave(thread)
    case .nested:
      perform(.value(value, generation: generation))
    case .busy:
      append(.value(value, generation: generation), thread)
    }
  }

  @inlinable
  internal func send(_ completion: Subscribers.Completion<Failure>, from upstream: SharedUpstream) {
    let ended = queue.withLock { contents -> SharedUpstream? in
      guard contents.state.upstream === upstream else { return nil }
      contents.state.isOver = true
      return contents.state.upstream.take()
    }
    if ended == nil { return }
    grace?.stop()
    submit(.completion(completion))
  }

  /// Adds a value to the log, and serves the members; called when the loop has just been entered.
  @inlinable
  internal func add(_ value: Output, generation: UInt) {
    guard log.accepts(generation) else { return isStable.store(true, ordering: .releasing) }
    // Replaces the oldest value if no member needs it any more; the replaced value is released when the log is stable.
    var oldest: Output?
    if log.count == capacity, capacity > 0, waiting[log.start] == 0 { oldest = log.removeFirst() }
    log.append(value)
    isStable.store(true, ordering: .releasing)
    makeRoom()
    noteAge()
    withExtendedLifetime(oldest) {}
    serveAll()
  }

  // MARK: The loop

  /// Performs a signal at once if the calling thread owns the loop or can enter it; otherwise it is queued.
  @inlinable
  internal func submit(_ signal: Signal) {
    let thread = currentThread()
    act(thread, queue.enter(thread), { perform(signal) }, orElse: { append(signal, thread) })
  }

  @inlinable @inline(__always)
  internal func act(_ thread: UInt, _ entry: DrainLoop.Entry, _ now: () -> Void, orElse later: () -> Void) {
    switch entry {
    case .entered:
      isStable.store(true, ordering: .releasing)
      now()
      leave(thread)
    case .nested:
      now()
    case .busy:
      later()
    }
  }

  @inlinable @inline(never)
  internal func append(_ signal: Signal, _ thread: UInt) {
    if queue.append(signal, thread) { leave(thread) }
  }

  @inlinable @inline(__always)
  internal func leave(_ thread: UInt) {
    let hasRemoved = members.hasRemoved
    if !hasRemoved, tryToLeave(thread) { return }
    leaveBusy(thread, isRefused: !hasRemoved)
  }

  @inlinable @inline(__always)
  internal func tryToLeave(_ thread: UInt) -> Bool {
    isStable.store(false, ordering: .relaxed)
    if queue.leave(thread) { return true }
    isStable.store(true, ordering: .releasing)
    return false
  }

  /// The part of ``leave(_:)`` that is not on the fast path.
  ///
  /// - Parameter isRefused: Whether ``tryToLeave(_:)`` has failed, because something is queued.
  @inlinable @inline(never)
  internal func leaveBusy(_ thread: UInt, isRefused: Bool) {
    if isRefused { performQueued() }
    while true {
      if members.hasRemoved { discardRemoved() }
      if tryToLeave(thread) { return }
      performQueued()
    }
  }

  @inlinable
  internal func performQueued() {
    // A signal leaves the queue and is applied to the log in one step, for the snapshot of a joining thread.
    while let (signal, change) = queue.takeFirst({ _, signal in log.apply(signal) }) {
      follow(signal, change)
      // No delivery is running here.
      if members.hasRemoved { discardRemoved() }
    }
  }

  @inlinable @inline(never)
  internal func perform(_ signal: Signal) {
    // Another thread may have queued something since this one entered: a member that joins has taken its snapshot as of
    // the end of the queue, and nothing may overtake it in the log.
    let change = queue.withLock { contents in contents.mustQueue(.nested) ? nil : log.apply(signal) }
    guard let change else { return append(signal, currentThread()) }
    follow(signal, change)
  }

  /// Performs the consequences of a signal that has been applied to the log.
  @inlinable
  internal func follow(_ signal: Signal, _ change: Log.Change) {
    switch change {
    case .growth:
      makeRoom()
      noteAge()
      return serveAll()
    case .end: return serveAll()
    case .clearing(let old): return waiting.reset(from: log.end - UInt(old.count), to: log.end)
    case .nothing: break
    }
    switch signal {
    case .join(let member): add(introduced: member)
    case .remove(let member): remove(member)
    case .serve(let member): serveOne(member)
    case .value, .completion, .begin, .clear: break
    }
  }

  // MARK: The log

  @inlinable
  internal func makeRoom() {
    if log.count > waiting.capacity { waiting.grow(from: log.start, to: log.end - 1) }
  }

  /// Notes the date of the value that has been added.
  @inlinable
  internal func noteAge() {
    if let ages { firstYoung = ages.add(log.end - 1) }
  }

  /// The number of values at the end of the log that are replayed.
  @inlinable
  internal var replayed: Int {
    let count = min(capacity, log.count)
    return ages == nil ? count : min(count, Int(log.end - min(firstYoung, log.end)))
  }

  @inlinable
  internal func serveAll() {
    // Members that join during a delivery go through the log on their own.
    var place = 0
    let end = members.count
    while place < end {
      if let member = members[place] { member._withUnsafeGuaranteedRef { serveFromLog($0) } }
      place += 1
    }
    trim()
  }

  /// Delivers to a member the values that it has requested and not received, and then the completion.
  @inlinable
  internal func serveFromLog(_ member: FanOutMember) {
    if member.hasIntroduction, !isIntroduced(member) { return serveHere(member) }
    deliverFromLog(to: member, movesPlace: true)
  }

  /// Delivers to a member the values that it has not seen, as far as there is demand, and then the completion.
  ///
  /// - Parameter movesPlace: Whether the member's place among the waiting ones is updated to what it has seen.
  @inlinable @inline(__always)
  internal func deliverFromLog(to member: FanOutMember, movesPlace: Bool) {
    guard member.beginServing() else { return }
    while true {
      let seen = member.seen.load(ordering: .relaxed)
      guard seen < log.end, member.ledger.takeOne() else { break }
      if movesPlace {
        waiting[seen] -= 1
        waiting[seen + 1] += 1
      }
      member.seen.store(seen + 1, ordering: .relaxed)
      member.deliver(log[seen])
    }
    member.endServing()
    guard let ending = log.ending, member.seen.load(ordering: .relaxed) == log.end else { return }
    remove(member)
    member.finish(ending)
  }

  @inlinable
  internal func serveOne(_ member: FanOutMember) {
    serveFromLog(member)
    trim()
  }

  /// Releases values that no member waits for and that are not replayed.
  @inlinable
  internal func trim() {
    let kept = replayed
    guard log.count > kept, waiting[log.start] == 0 else { return }
    var old: Deque<Output> = []
    queue.withLock { contents in
      while log.count > kept, waiting[log.start] == 0, log.start < contents.state.joining.start {
        old.append(log.removeFirst())
      }
    }
    // Released here, outside the lock.
    withExtendedLifetime(old) {}
  }
}
