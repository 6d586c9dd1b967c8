// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import Synchronization

/// The fan-out of `shareReplay`: one log of values, and every member's place in it.
///
/// A value enters the log before anybody is given it, and each member goes through the log by itself, as far as its
/// demand reaches. So nobody misses a value, and nobody gets one twice, whoever joins when. The log keeps the values
/// that the slowest member has not had, and no fewer than are to be repeated to those who join: how many members wait
/// at a value is counted beside it, so what nobody needs any more is found without looking at the members.
///
/// Everything goes through the loop of the ``Membership``, in one order.
///
/// Who joins while another thread delivers reads the log to take a snapshot; see ``Introduction``. So the owner changes
/// the log under the lock. One change a value is spared that: what is added by a thread that has just entered the loop.
/// Until that says that the log is stable again nobody reads it; and once somebody has announced that he will read it,
/// the loop is not left, nor entered, without the lock.
@usableFromInline
package final class ReplayFanOut<Output, Failure: Error>: Membership {
  @usableFromInline internal typealias Signal = ReplaySignal<Output, Failure>
  @usableFromInline internal typealias Log = ReplayLog<Output, Failure>

  /// What any thread may reach, under the lock.
  @usableFromInline
  internal struct Shared {
    @usableFromInline internal var queue: Deque<Signal> = []
    /// What has been taken from the queue, and has not had its turn.
    @usableFromInline internal var due: Deque<Signal> = []
    /// How many have joined and not left.
    @usableFromInline internal var count = 0
    /// The line to upstream, while there is one.
    @usableFromInline internal var line: ReplayLine?
    @usableFromInline internal var lines: UInt = 0
    /// Whether upstream has ended, or nobody wants it any more.
    @usableFromInline internal var isOver = false

    @inlinable
    internal init() {}
  }

  @usableFromInline internal let capacity: Int
  /// Whether the line is given up, and the log cleared, when everybody has left.
  @usableFromInline internal let isCounted: Bool
  @usableFromInline internal let shared = Guarded(Shared())

  /// Changed by the owner of the loop: under the lock, or while it is not stable.
  @exclusivity(unchecked) @usableFromInline internal var log = Log()
  /// Whether the owner changes the log under the lock only; while nobody owns the loop it is `false`.
  @usableFromInline internal let isStable = Atomic(false)

  // These belong to the owner of the loop.

  /// How many members are to be given which value next.
  @exclusivity(unchecked) @usableFromInline internal var waiting = WaitingCounts()

  /// - Parameters:
  ///   - capacity: How many values to repeat to those who join.
  ///   - isCounted: Whether to begin anew when everybody has left.
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
  internal func send(_ completion: Subscribers.Completion<Failure>, line: ReplayLine) {
    let line = shared.withLock { shared -> ReplayLine? in
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
    // In the place of the oldest one, where nobody needs that any more: it is freed when the log is stable.
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

  /// - Parameter isQueued: Whether the loop has refused to be left, and has taken its mark back.
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

  /// Takes the next signal out of the queue, and changes the log as it says, in one step.
  @inlinable
  internal func nextQueued() -> (Signal, Log.Change)? {
    shared.withLock { shared in
      // The storage goes to and fro, so that senders who queue all the time do not allocate it again and again.
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

  /// Does what follows from a signal that the log knows of.
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

  /// Gives a member what it has asked for and not had, and the end behind that.
  @inlinable
  internal func serve(_ member: Conduit) {
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
  internal func serveOne(_ member: Conduit) {
    serve(member)
    trim()
  }

  /// Where the value with a number is in the log.
  @inlinable
  internal func place(of number: UInt) -> Int { log.values.count - Int(log.end - number) }

  @inlinable
  internal func catchUp(_ member: Conduit) {
    let thread = currentThread()
    let entry = loop.enter(thread)
    // From inside of its introduction it is answered at once, whatever is queued.
    if case .nested = entry, hasDue || loop.isAnnounced, member.starter.load(ordering: .relaxed) != thread {
      return queue(.catchUp(member), thread)
    }
    act(thread, entry, { serveOne(member) }, orElse: { queue(.catchUp(member), thread) })
  }

  @inlinable
  internal func part(with member: Conduit) {
    let thread = currentThread()
    act(thread, enter(thread), { remove(member) }, orElse: { queue(.detach(member), thread) })
  }

  @inlinable
  internal func forget(_ member: Conduit) {
    waiting[member.introduction?.start ?? member.seen.load(ordering: .relaxed)] -= 1
    trim()
  }

  /// Frees the values that nobody waits for and that are not to be repeated.
  @inlinable
  internal func trim() {
    guard log.values.count > capacity, waiting[log.start] == 0 else { return }
    var old: Deque<Output> = []
    shared.withLock { _ in
      while log.values.count > capacity, waiting[log.start] == 0 { old.append(log.values.removeFirst()) }
    }
    // Freed only here, outside of the lock.
    withExtendedLifetime(old) {}
  }
}
