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
/// Everything goes through the loop of the ``Membership``, in one order. A signal that finds others queued goes behind
/// them, also on the owner's thread: an upstream's values stay in order when it moves from thread to thread.
@usableFromInline
package final class ReplayFanOut<Output, Failure: Error>: Membership {
  @usableFromInline
  internal enum Signal {
    case value(Output, line: UInt)
    case completion(Subscribers.Completion<Failure>)
    case change(Change, Conduit)
    /// A new line to upstream: nothing of an older one is repeated.
    case begin(line: UInt)
    /// The line has been given up.
    case clear(line: UInt)
  }

  /// One value of the log.
  @usableFromInline
  internal struct Entry {
    @usableFromInline internal let value: Output
    /// How many members are to be given this one next.
    @usableFromInline internal var readers: Int

    @inlinable
    internal init(_ value: Output, readers: Int) {
      self.value = value
      self.readers = readers
    }
  }

  /// What any thread may reach, under the lock.
  @usableFromInline
  internal struct Shared {
    @usableFromInline internal var queue: Deque<Signal> = []
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

  // These belong to the owner of the loop.

  /// What has been taken from the queue, and has not had its turn.
  @exclusivity(unchecked) @usableFromInline internal var due: Deque<Signal> = []
  @exclusivity(unchecked) @usableFromInline internal var log: Deque<Entry> = []
  /// How many values there have been; a member's `seen` counts the same way.
  @exclusivity(unchecked) @usableFromInline internal var end: UInt = 0
  /// How many members have been given everything.
  @exclusivity(unchecked) @usableFromInline internal var idle = 0
  @exclusivity(unchecked) @usableFromInline internal var line: UInt = 1
  @exclusivity(unchecked) @usableFromInline internal var ending: Subscribers.Completion<Failure>?

  /// - Parameters:
  ///   - capacity: How many values to repeat to those who join.
  ///   - isCounted: Whether to begin anew when everybody has left.
  @inlinable
  package init(capacity: Int, isCounted: Bool) {
    self.capacity = capacity
    self.isCounted = isCounted
    super.init(
      TypedWork(
        queue: { unsafeDowncast($0, to: ReplayFanOut.self).append(.change($1, $2)) },
        performQueued: { unsafeDowncast($0, to: ReplayFanOut.self).performQueued() },
        admit: { unsafeDowncast($0, to: ReplayFanOut.self).admit($1) },
        forget: { unsafeDowncast($0, to: ReplayFanOut.self).forget($1) },
        hasUnseen: { _, _ in true },
        catchUp: { unsafeDowncast($0, to: ReplayFanOut.self).catchUp($1) }),
      repeatsLatest: true)
  }

  // MARK: Joining and leaving

  /// Adds a member, and serves it.
  ///
  /// - Returns: The line that upstream is to be subscribed to with, if the caller has to do that.
  @inlinable
  package func join(_ member: Conduit) -> ReplayLine? {
    let (line, isNew) = shared.withLock { shared -> (ReplayLine?, Bool) in
      shared.count += 1
      if shared.isOver || shared.line != nil { return (shared.line, false) }
      shared.lines += 1
      shared.line = ReplayLine(number: shared.lines)
      return (shared.line, true)
    }
    // Whoever joins says so, and not only the one who subscribes: that one may be overtaken.
    if isCounted, let line { submit(.begin(line: line.number)) }
    submit(.change(.attach, member))
    // Where there is nothing to repeat the completion needs no request.
    submit(.change(.catchUp, member))
    // Everybody may have left again.
    guard isNew, let line, line.slot.phase != .terminal else { return nil }
    return line
  }

  /// Counts one member less, and gives the line up behind the last one.
  ///
  /// The member's detaching has been submitted.
  @inlinable
  package func memberLeft() {
    guard isCounted else { return }
    let line = shared.withLock { shared -> ReplayLine? in
      shared.count -= 1
      return shared.count == 0 && !shared.isOver ? shared.line.take() : nil
    }
    guard let line else { return }
    line.slot.cancel(early: true)
    submit(.clear(line: line.number))
  }

  /// Gives the line up for good.
  @inlinable
  package func stop() {
    let line = shared.withLock { shared in
      shared.isOver = true
      return shared.line.take()
    }
    line?.slot.cancel(early: true)
  }

  // MARK: Signals from upstream

  @inlinable
  internal func send(_ value: Output, line: UInt) {
    let thread = currentThread()
    act(as: thread, enter(thread), { add(value, line: line) }, orQueue: { append(.value(value, line: line)) })
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

  // MARK: The loop

  @inlinable
  internal func enter(_ thread: UInt) -> DrainLoop.Entry {
    let entry = loop.enter(thread)
    if case .nested = entry, loop.isAnnounced || !due.isEmpty { return .busy }
    return entry
  }

  @inlinable
  internal func submit(_ signal: Signal) {
    let thread = currentThread()
    act(as: thread, enter(thread), { perform(signal) }, orQueue: { append(signal) })
  }

  @inlinable
  internal func append(_ signal: Signal) {
    shared.withLock { $0.queue.append(signal) }
  }

  @inlinable
  internal func performQueued() {
    shared.withLock { swap(&due, &$0.queue) }
    while let signal = due.popFirst() {
      perform(signal)
      // No delivery is running here.
      if !retired.isEmpty { clear() }
    }
  }

  @inlinable
  internal func perform(_ signal: Signal) {
    switch signal {
    case .value(let value, let line): add(value, line: line)
    case .completion(let completion):
      ending = completion
      serveAll()
    case .change(let change, let member): perform(change, member)
    case .begin(let line):
      guard line > self.line else { return }
      self.line = line
      clearLog()
    case .clear(let line): if line == self.line { clearLog() }
    }
  }

  // MARK: The log

  @inlinable
  internal func add(_ value: Output, line: UInt) {
    // A value of a line that has been given up may still have been on its way.
    guard line == self.line, ending == nil else { return }
    log.append(Entry(value, readers: idle))
    idle = 0
    end += 1
    serveAll()
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
    if member.isServed { return }
    member.isServed = true
    while true {
      let seen = member.seen.load(ordering: .relaxed)
      guard seen < end, member.ledger.takeOne() else { break }
      let place = log.count - Int(end - seen)
      log[place].readers -= 1
      count(1, at: place + 1)
      member.seen.store(seen + 1, ordering: .relaxed)
      let value = log[place].value
      let more = member.downstream.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.receive(value) }
      if more != .none { member.ledger.add(more) }
    }
    member.isServed = false
    guard let ending, member.seen.load(ordering: .relaxed) == end else { return }
    remove(member)
    member.finish(ending)
  }

  /// Counts members who are to be given the value at a place next.
  @inlinable
  internal func count(_ members: Int, at place: Int) {
    if place < log.count { log[place].readers += members } else { idle += members }
  }

  @inlinable
  internal func catchUp(_ member: Conduit) {
    serve(member)
    trim()
  }

  /// Takes the snapshot of what a member is to be repeated.
  @inlinable
  internal func admit(_ member: Conduit) -> Bool {
    let depth = min(capacity, log.count)
    member.seen.store(end - UInt(depth), ordering: .relaxed)
    count(1, at: log.count - depth)
    return true
  }

  @inlinable
  internal func forget(_ member: Conduit) {
    count(-1, at: log.count - Int(end - member.seen.load(ordering: .relaxed)))
    trim()
  }

  /// Frees the values that nobody waits for and that are not to be repeated.
  @inlinable
  internal func trim() {
    while log.count > capacity, log[0].readers == 0 { _ = log.popFirst() }
  }

  /// Everybody has left: those who joined the line have been taken off the list before.
  @inlinable
  internal func clearLog() {
    var old: Deque<Entry> = []
    swap(&old, &log)
  }
}
