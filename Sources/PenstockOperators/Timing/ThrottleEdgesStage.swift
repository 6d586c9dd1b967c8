// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The edges of an interval at which values are published.
@usableFromInline
internal struct ThrottleEdges: Sendable {
  /// Whether the value that begins an interval is published, at once.
  @usableFromInline internal var leading: Bool
  /// Whether the latest value, or the result of merging, is published at its end.
  @usableFromInline internal var trailing: Bool

  @inlinable
  internal init(leading: Bool, trailing: Bool) {
    self.leading = leading
    self.trailing = trailing
  }
}

/// The stage of `throttle` with a choice of edges, or with a closure: it holds at most one value, and at most one
/// emission is scheduled.
///
/// Neither dates nor the closure are used under the lock, since they may be the user's code. So a decision that depends
/// on the end of the interval is made again if the end has changed meanwhile, and the held value is taken out to be
/// merged. Upstream's signals are serial, so only a value that the closure itself sends finds the place empty
/// meanwhile: it is put there, and merged next.
@usableFromInline
internal struct ThrottleEdgesStage<Output, Failure: Error, Context: Scheduler>: ScheduledStage, ~Copyable {
  @usableFromInline internal typealias Time = Context.SchedulerTimeType

  @usableFromInline
  internal struct State {
    /// The value to deliver next.
    @usableFromInline internal var held: Output?
    /// How many calls of the closure are running: more than one only if the closure sends values.
    @usableFromInline internal var merging = 0
    /// Whether the emission of the held value is scheduled.
    @usableFromInline internal var isScheduled = false
    /// The completion to deliver after the held value.
    @usableFromInline internal var ending: Subscribers.Completion<Failure>?
    /// The end of the latest interval, which may have passed.
    @usableFromInline internal var end: Time?
    /// How often the end has been set.
    @usableFromInline internal var intervals: UInt = 0

    @inlinable
    internal init() {}

    /// Begins an interval.
    ///
    /// - Parameter end: Its end; afterwards the end of the previous interval, which is released outside the lock.
    @inlinable
    internal mutating func begin(intervalUntil end: inout Time?) {
      swap(&self.end, &end)
      intervals &+= 1
    }
  }

  /// What to do about a value that has arrived, outside the lock.
  @usableFromInline
  internal enum Admission {
    /// Nothing: the value is held, or it has been dropped.
    case done
    /// Decide again: another interval has begun.
    case again
    /// Schedule the emission for this date, or as soon as possible.
    case schedule(Time?)
    /// Merge it with this value.
    case merge(Output)
  }

  @usableFromInline internal let interval: Time.Stride
  @usableFromInline internal let scheduler: Context
  @usableFromInline internal let edges: ThrottleEdges
  @usableFromInline internal let merge: ((Output, Output) -> Output)?
  @usableFromInline internal let state = Guarded(State())

  @inlinable
  internal init(
    _ interval: Context.SchedulerTimeType.Stride, _ scheduler: Context, _ edges: ThrottleEdges,
    merge: ((Output, Output) -> Output)?
  ) {
    self.interval = interval
    self.scheduler = scheduler
    self.edges = edges
    self.merge = merge
  }

  @inlinable
  internal static var name: String { "Throttle" }

  @inlinable
  internal static var releasesDownstream: Bool { true }

  @inlinable
  internal static var countsDemand: Bool { true }

  @inlinable
  internal func receive(_ input: Output, in shape: Shape) -> Subscribers.Demand {
    let now = scheduler.now
    var next: Time? = now.advanced(by: interval)
    // Exchanged, so that a value that is replaced is released outside the lock.
    var value: Output? = input
    while true {
      let (end, intervals) = state.withLock { ($0.end, $0.intervals) }
      let isWithin = end?.isAhead(of: now, within: interval) ?? false
      switch state.withLock({ admit(&value, isWithin, until: &next, intervals, to: &$0, in: shape) }) {
      case .again:
        continue
      case .done:
        break
      case .schedule(let date):
        schedule(notBefore: date, at: now, in: shape)
      case .merge(let held):
        value = nil
        merge(held, with: input, in: shape)
      }
      break
    }
    if let value { shape.noteDiscard(value, shape.isClosed ? .ended : .replaced) }
    return .none
  }

  /// Decides what happens to a value; called under the lock.
  ///
  /// - Parameters:
  ///   - isWithin: Whether it has arrived within the interval with the given number.
  ///   - next: The end of an interval that begins with the value.
  @inlinable
  internal func admit(
    _ value: inout Output?, _ isWithin: Bool, until next: inout Time?, _ intervals: UInt, to state: inout State,
    in shape: Shape
  ) -> Admission {
    if state.intervals != intervals { return .again }
    // Nothing would discard it any more.
    if shape.isClosed { return .done }
    let isBusy = state.held != nil || state.merging > 0
    if !edges.trailing, isWithin || state.isScheduled { return .done }
    if merge != nil, let held = state.held.take() {
      state.merging += 1
      return .merge(held)
    }
    swap(&state.held, &value)
    if state.isScheduled || state.merging > 0 { return .done }
    if !isWithin, !isBusy, !edges.leading { state.begin(intervalUntil: &next) }
    // The emission uses up demand. A request adds its demand before it looks for a held value under this lock, so that
    // one of the two sides sees the other.
    guard shape.demand.balance == .none else {
      state.isScheduled = true
      return .schedule(state.end)
    }
    // The value is the first of an interval, though it cannot be published yet.
    if !edges.trailing { state.begin(intervalUntil: &next) }
    return .done
  }

  /// Merges a value into the one that was held, and then those that the closure has sent.
  @inlinable
  internal func merge(_ held: Output, with input: Output, in shape: Shape) {
    guard let merge else { return }
    var merged: Output? = merge(held, input)
    while true {
      var later: Output?
      var date: Time?
      let mustSchedule = state.withLock { state -> Bool in
        if shape.isClosed { return false }
        swap(&state.held, &later)
        if later != nil { return false }
        swap(&state.held, &merged)
        state.merging -= 1
        // An emission that was due meanwhile has found no value, and neither may a request have found one.
        guard state.merging == 0, !state.isScheduled, shape.demand.balance != .none else { return false }
        state.isScheduled = true
        date = state.end
        return true
      }
      if mustSchedule { schedule(notBefore: date, at: scheduler.now, in: shape) }
      guard let result = merged else { return }
      guard let other = later else { return shape.noteDiscard(result, .ended) }
      merged = merge(result, other)
    }
  }

  @inlinable
  internal func request(_ demand: Subscribers.Demand, in shape: Shape) {
    shape.demand.add(demand)
    scheduleHeld(in: shape)
  }

  @inlinable
  internal func upstreamDemand(for returned: Subscribers.Demand, in shape: Shape) -> Subscribers.Demand {
    request(returned, in: shape)
    return .none
  }

  /// Schedules the emission of the value that is held, unless it is scheduled already.
  @inlinable
  internal func scheduleHeld(in shape: Shape) {
    var date: Time?
    let mustSchedule = state.withLock { state -> Bool in
      guard state.held != nil, state.merging == 0, !state.isScheduled, shape.demand.balance != .none
      else { return false }
      state.isScheduled = true
      // The first value of an interval is already late.
      date = edges.trailing ? state.end : nil
      return true
    }
    if mustSchedule { schedule(notBefore: date, at: scheduler.now, in: shape) }
  }

  /// Schedules an emission at a date, or as soon as possible if there is no date or it has passed.
  @inlinable
  internal func schedule(notBefore date: Time?, at now: @autoclosure () -> Time, in shape: Shape) {
    scheduler.schedule(notBefore: date, within: interval, at: now()) { shape.stage.emit(in: shape) }
  }

  /// Delivers the held value, if there is demand, and the completion that waits for it; called by the scheduler.
  @inlinable
  internal func emit(in shape: Shape) {
    if shape.isClosed { return }
    var end: Time? = scheduler.now.advanced(by: interval)
    var emitted: Output?
    // Appended to the queue before the lock is released, so that no later decision can overtake it.
    let turns = state.withLock { state in
      state.isScheduled = false
      guard state.merging == 0, let value = state.held, shape.demand.takeOne() else { return 0 }
      swap(&state.held, &emitted)
      state.begin(intervalUntil: &end)
      let ending = state.ending.take()
      return (shape.append(value) ? 1 : 0) + (ending.map { shape.append(completion: $0) } ?? false ? 1 : 0)
    }
    for _ in 0..<turns { shape.takeTurn() }
  }

  @inlinable
  internal func receive(completion: Subscribers.Completion<Failure>, in shape: Shape) {
    var unwanted: Output?
    let isAppended = state.withLock { state in
      // The completion needs no demand, so a value that has not been requested is dropped with it. But a merged value
      // is all that is left of several values, so the completion waits for it.
      if merge == nil, !state.isScheduled { swap(&state.held, &unwanted) }
      if state.held == nil, state.merging == 0 { return shape.append(completion: completion) }
      state.ending = completion
      return false
    }
    if let unwanted { shape.noteDiscard(unwanted, .ended) }
    if isAppended { scheduler.schedule { shape.takeTurn() } }
  }

  @inlinable
  internal func schedule(_ block: @escaping () -> Void) {
    scheduler.schedule(block)
  }

  @inlinable
  internal func discard(in shape: Shape) {
    var held: Output?
    var ending: Subscribers.Completion<Failure>?
    state.withLock {
      swap(&$0.held, &held)
      swap(&$0.ending, &ending)
    }
    if let held { shape.noteDiscard(held, .ended) }
  }
}
