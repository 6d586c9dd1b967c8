// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import Synchronization

/// The fan-out of `shareReplay`: one log of values, and every member's position in it.
///
/// A value enters the log before it is delivered, and each member reads the log at its own pace, as far as its demand
/// reaches. So no member misses a value or gets one twice, whenever it joins. The log keeps the values that the slowest
/// member has not received, and at least those that are replayed to new members: how many members wait at each value is
/// counted beside the log, so values that are no longer needed are found without a search through the members.
///
/// All signals pass through the loop of the ``FanOutBase``, in one order.
///
/// A thread that joins while another thread delivers reads the log to take a snapshot; see ``Introduction``. So the
/// owner changes the log under the lock, with one exception that saves the lock for most values: a thread that has just
/// entered the loop adds its value without it. Other threads do not read the log before that thread has marked it as
/// stable; and once a joining thread has announced itself, the loop is neither left nor entered without the lock.
/// the loop is not left, nor entered, without the lock.
@usableFromInline
package final class ReplayFanOut<Output, Failure: Error>: FanOutBase {
  @usableFromInline internal typealias Signal = ReplaySignal<Output, Failure>
  @usableFromInline internal typealias Log = ReplayLog<Output, Failure>

  /// The state that any thread may access, under the lock.
  @usableFromInline
  internal struct Shared {
    @usableFromInline internal var queue: Deque<Signal> = []
    /// The signals that have been taken from the queue and not yet performed.
    @usableFromInline internal var due: Deque<Signal> = []
    /// The number of members.
    @usableFromInline internal var count = 0
    /// The upstream subscription, while there is one.
    @usableFromInline internal var line: ReplayUpstream?
    @usableFromInline internal var lines: UInt = 0
    /// Whether upstream has completed, or has been cancelled for good.
    @usableFromInline internal var isOver = false

    @inlinable
    internal init() {}
  }

  @usableFromInline internal let capacity: Int
  /// Whether the upstream subscription is cancelled, and the log cleared, when the last member has left.
  @usableFromInline internal let isCounted: Bool
  @usableFromInline internal let shared = Guarded(Shared())

  /// Changed by the owner of the loop: under the lock, or while it is not stable.
  @exclusivity(unchecked) @usableFromInline internal var log = Log()
  /// Whether the owner changes the log only under the lock; `false` while the loop is free.
  ///
  /// Released by the owner after an unlocked change, and acquired by a joining thread before it reads the log.
  @usableFromInline internal let isStable = AtomicCell(false)

  // These belong to the owner of the loop.

  /// How many members are to be given which value next.
  @exclusivity(unchecked) @usableFromInline internal var waiting = WaitingCounts()

  /// - Parameters:
  ///   - capacity: The number of values to replay to new members.
  ///   - isCounted: Whether to start anew when the last member has left.
  @inlinable
  package init(capacity: Int, isCounted: Bool) {
    self.capacity = capacity
    self.isCounted = isCounted
    super.init(
      TypedWork(
        takeSnapshot: { unsafeDowncast($0, to: ReplayFanOut.self).takeSnapshot($1, $2) },
        detach: { unsafeDowncast($0, to: ReplayFanOut.self).part(with: $1) },
        forget: { unsafeDowncast($0, to: ReplayFanOut.self).forget($1) },
        hasUnseen: { _, _ in true },
        catchUp: { unsafeDowncast($0, to: ReplayFanOut.self).catchUp($1) }),
      repeatsLatest: true)
  }

  // MARK: Signals from upstream

  @inlinable
  internal func send(_ value: Output, line: UInt) {
    let thread = currentThread()
    switch enter(thread) {
    case .entered:
      add(value, line: line)
      leave(thread)
    case .nested:
      perform(.value(value, line: line))
    case .busy:
      queue(.value(value, line: line), thread)
    }
  }

  @inlinable
  internal func send(_ completion: Subscribers.Completion<Failure>, line: ReplayUpstream) {
    let line = shared.withLock { shared -> ReplayUpstream? in
      guard shared.line === line else { return nil }
      shared.isOver = true
      return shared.line.take()
    }
    if line != nil { submit(.completion(completion)) }
  }

  /// Adds a value to the log, and serves the members; called when the loop has just been entered.
  @inlinable
  internal func add(_ value: Output, line: UInt) {
    guard log.takes(line: line) else { return isStable.store(true, ordering: .releasing) }
    // Replaces the oldest value if no member needs it any more; that one is released when the log is stable.
    var oldest: Output?
    if log.values.count == capacity, capacity > 0, waiting[log.start] == 0 { oldest = log.values.removeFirst() }
    log.values.append(value)
    log.end += 1
    isStable.store(true, ordering: .releasing)
    makeRoom()
    withExtendedLifetime(oldest) {}
    serveAll()
  }

  // MARK: The loop

  @inlinable
  internal func submit(_ signal: Signal) {
    let thread = currentThread()
    act(thread, enter(thread), { perform(signal) }, orElse: { queue(signal, thread) })
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
  internal func queue(_ signal: Signal, _ thread: UInt) {
    shared.withLock { $0.queue.append(signal) }
    if loop.announce(thread) { leave(thread) }
  }

  @inlinable @inline(__always)
  internal func leave(_ thread: UInt) {
    let isClear = retired.isEmpty
    if isClear, tryToLeave(thread) { return }
    leaveBusy(thread, isQueued: isClear)
  }

  @inlinable @inline(__always)
  internal func tryToLeave(_ thread: UInt) -> Bool {
    isStable.store(false, ordering: .relaxed)
    if loop.leave(thread) { return true }
    isStable.store(true, ordering: .releasing)
    return false
  }

  /// - Parameter isQueued: Whether the loop has refused to be left, and has cleared the mark.
  @inlinable @inline(never)
  internal func leaveBusy(_ thread: UInt, isQueued: Bool) {
    if isQueued { performQueued() }
    while true {
      if !retired.isEmpty { clear() }
      if tryToLeave(thread) { return }
      performQueued()
    }
  }

  @inlinable
  internal func performQueued() {
    while let (signal, change) = nextQueued() {
      follow(signal, change)
      // No delivery is running here.
      if !retired.isEmpty { clear() }
    }
  }

  /// Removes the next signal from the queue, and applies it to the log, in one step.
  @inlinable
  internal func nextQueued() -> (Signal, Log.Change)? {
    shared.withLock { shared in
      // The two storages are exchanged, so that senders that queue all the time do not allocate each time.
      if shared.due.isEmpty { swap(&shared.due, &shared.queue) }
      guard let signal = shared.due.popFirst() else { return nil }
      hasDue = !shared.due.isEmpty
      return (signal, log.apply(signal))
    }
  }

  @inlinable @inline(never)
  internal func perform(_ signal: Signal) {
    follow(signal, shared.withLock { _ in log.apply(signal) })
  }

  /// Performs the consequences of a signal that has been applied to the log.
  @inlinable
  internal func follow(_ signal: Signal, _ change: Log.Change) {
    switch change {
    case .growth:
      makeRoom()
      return serveAll()
    case .end: return serveAll()
    case .clearing(let old): return waiting.forget(from: log.end - UInt(old.count), to: log.end)
    case .nothing: break
    }
    switch signal {
    case .attach(let member): letIn(member)
    case .detach(let member): remove(member)
    case .catchUp(let member): serveOne(member)
    case .value, .completion, .begin, .clear: break
    }
  }

  // MARK: The log

  @inlinable
  internal func makeRoom() {
    if log.values.count > waiting.capacity { waiting.grow(from: log.start, to: log.end - 1) }
  }

  @inlinable
  internal func serveAll() {
    // Members who join during a delivery go through the log by themselves.
    var place = 0
    let end = members.count
    while place < end {
      if let member = members[place] { member._withUnsafeGuaranteedRef { serve($0) } }
      place += 1
    }
    trim()
  }

  /// Delivers to a member what it has requested and not received, and the completion after that.
  @inlinable
  internal func serve(_ member: FanOutMember) {
    if member.isServed || (member.introduction != nil && !isIntroduced(member)) { return }
    member.isServed = true
    while true {
      let seen = member.seen.load(ordering: .relaxed)
      guard seen < log.end, member.ledger.takeOne() else { break }
      waiting[seen] -= 1
      waiting[seen + 1] += 1
      member.seen.store(seen + 1, ordering: .relaxed)
      member.deliver(log.values[place(of: seen)])
    }
    member.isServed = false
    guard let ending = log.ending, member.seen.load(ordering: .relaxed) == log.end else { return }
    remove(member)
    member.finish(ending)
  }

  @inlinable
  internal func serveOne(_ member: FanOutMember) {
    serve(member)
    trim()
  }

  /// The index of a value in the log, by its number.
  @inlinable
  internal func place(of number: UInt) -> Int { log.values.count - Int(log.end - number) }

  @inlinable
  internal func catchUp(_ member: FanOutMember) {
    let thread = currentThread()
    let entry = loop.enter(thread)
    // During its introduction a member is served at once, whatever is queued.
    if case .nested = entry, hasDue || loop.isAnnounced, member.starter.load(ordering: .relaxed) != thread {
      return queue(.catchUp(member), thread)
    }
    act(thread, entry, { serveOne(member) }, orElse: { queue(.catchUp(member), thread) })
  }

  @inlinable
  internal func part(with member: FanOutMember) {
    let thread = currentThread()
    act(thread, enter(thread), { remove(member) }, orElse: { queue(.detach(member), thread) })
  }

  @inlinable
  internal func forget(_ member: FanOutMember) {
    waiting[member.introduction?.start ?? member.seen.load(ordering: .relaxed)] -= 1
    trim()
  }

  /// Releases values that no member waits for and that are not replayed.
  @inlinable
  internal func trim() {
    guard log.values.count > capacity, waiting[log.start] == 0 else { return }
    var old: Deque<Output> = []
    shared.withLock { _ in
      while log.values.count > capacity, waiting[log.start] == 0 { old.append(log.values.removeFirst()) }
    }
    // Released here, outside the lock.
    withExtendedLifetime(old) {}
  }
}
