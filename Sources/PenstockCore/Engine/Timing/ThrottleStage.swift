// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The stage of `throttle`: it holds one value at most, and one emission at most is scheduled.
@usableFromInline
internal struct ThrottleStage<Output, Failure: Error, Context: Scheduler>: ScheduledStage, ~Copyable {
  @usableFromInline internal typealias Time = Context.SchedulerTimeType

  @usableFromInline
  internal struct State: ~Copyable {
    /// The value to deliver next.
    @usableFromInline internal var held: Output?
    /// The date at which the held value arrived; `nil` if it has never waited for demand.
    @usableFromInline internal var arrival: Time?
    /// Whether the emission of the held value is scheduled.
    @usableFromInline internal var isScheduled = false
    /// The completion to deliver after the held value, whose emission is scheduled.
    @usableFromInline internal var ending: Subscribers.Completion<Failure>?
    /// The date of the last emission.
    @usableFromInline internal var lastEmission: Time?

    @inlinable
    internal init() {}

    @inlinable
    internal var waiting: Waiting { (arrival, lastEmission) }
  }

  /// The action for a value that has arrived, to be performed outside the lock.
  @usableFromInline
  internal enum Admission {
    /// Nothing: it is held, or it has been dropped.
    case done
    /// Schedule its emission.
    case schedule(lastEmission: Time?)
    /// Drop it unless it begins an interval of its own: an earlier value is held.
    case compare(with: Waiting)
  }

  /// The dates that determine when a value that waits for demand may be delivered.
  @usableFromInline internal typealias Waiting = (since: Time?, lastEmission: Time?)

  @usableFromInline internal let interval: Context.SchedulerTimeType.Stride
  @usableFromInline internal let scheduler: Context
  @usableFromInline internal let latest: Bool
  @usableFromInline internal let state = Guarded(State())

  @inlinable
  internal init(_ interval: Context.SchedulerTimeType.Stride, _ scheduler: Context, latest: Bool) {
    self.interval = interval
    self.scheduler = scheduler
    self.latest = latest
    // Combine reads the clock here and when it subscribes, and a test's scheduler may count that.
    _ = scheduler.now
  }

  @_alwaysEmitIntoClient
  internal static var name: String { "Throttle" }

  @_alwaysEmitIntoClient
  internal static var releasesDownstream: Bool { true }

  @_alwaysEmitIntoClient
  internal static var countsDemand: Bool { true }

  @_alwaysEmitIntoClient
  internal static var remembersEarlyCancel: Bool { true }

  @usableFromInline
  internal func show(in link: inout LinkState) {
    let (isHeld, last) = state.withLock { ($0.held != nil && $0.isScheduled, $0.lastEmission) }
    if isHeld, let last { link.keep(1, until: last.advanced(by: interval), on: scheduler) }
  }

  @_alwaysEmitIntoClient
  internal func begin(in shape: Shape) {
    _ = scheduler.now
  }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Output, in shape: Shape) -> Subscribers.Demand {
    let now = scheduler.now
    // Exchanged, so that a value that is replaced is released outside the lock.
    var value: Output? = input
    var admission = state.withLock { admit(&value, now, to: &$0, beginsInterval: false, in: shape) }
    // Dates are compared outside the lock, since they may be of any type.
    if case .compare(let waiting) = admission {
      guard let end = end(of: waiting), !end.isAhead(of: now, within: interval) else {
        shape.noteDiscard(input, .replaced)
        return .none
      }
      admission = state.withLock { admit(&value, now, to: &$0, beginsInterval: true, in: shape) }
    }
    if case .schedule(let lastEmission) = admission {
      schedule(notBefore: lastEmission?.advanced(by: interval), at: now, in: shape)
    }
    if let value { shape.noteDiscard(value, shape.isClosed ? .ended : .replaced) }
    return .none
  }

  /// Decides whether a value is held; called with the lock.
  @inlinable
  internal func admit(
    _ value: inout Output?, _ now: Time, to state: inout State, beginsInterval: Bool, in shape: Shape
  ) -> Admission {
    // Nothing would discard it any more.
    if shape.isClosed { return .done }
    if !latest, state.held != nil {
      if state.isScheduled { return .done }
      if !beginsInterval { return .compare(with: state.waiting) }
    }
    swap(&state.held, &value)
    guard !state.isScheduled else { return .done }
    // Demand is used up by the emission. It is added before the request looks for a held value under this lock, so that
    // one of the two sides sees the other.
    guard shape.demand.balance == .none else {
      state.isScheduled = true
      return .schedule(lastEmission: state.lastEmission)
    }
    state.arrival = now
    return .done
  }

  /// The date at which a value that waits for demand may be delivered; `nil` if no interval has begun.
  @inlinable
  internal func end(of waiting: Waiting) -> Time? {
    let next = waiting.lastEmission?.advanced(by: interval)
    guard !latest, let arrival = waiting.since else { return next }
    if let next, next > arrival { return next }
    return arrival.advanced(by: interval)
  }

  @_alwaysEmitIntoClient
  internal func request(_ demand: Subscribers.Demand, in shape: Shape) {
    shape.demand.add(demand)
    scheduleHeld(in: shape)
  }

  @_alwaysEmitIntoClient
  internal func upstreamDemand(for returned: Subscribers.Demand, in shape: Shape) -> Subscribers.Demand {
    request(returned, in: shape)
    return .none
  }

  /// Schedules the emission of the value that is held, unless it is scheduled already.
  @inlinable
  internal func scheduleHeld(in shape: Shape) {
    let waiting = state.withLock { state -> Waiting? in
      guard state.held != nil, !state.isScheduled else { return nil }
      state.isScheduled = true
      return state.waiting
    }
    guard let waiting else { return }
    schedule(notBefore: end(of: waiting), at: scheduler.now, in: shape)
  }

  /// Schedules an emission at a date, or as soon as possible if there is none or it is over.
  @_alwaysEmitIntoClient
  internal func schedule(notBefore date: Time?, at now: @autoclosure () -> Time, in shape: Shape) {
    scheduler.schedule(notBefore: date, within: interval, at: now()) { shape.stage.emit(in: shape) }
  }

  /// Delivers the held value, if there is demand, and the completion that waits for its date; called by the scheduler.
  @inlinable
  internal func emit(in shape: Shape) {
    // Combine does not read the clock after a cancel, and a test's scheduler may count that.
    if shape.isClosed { return }
    let now = scheduler.now
    var emitted = State()
    // Appended to the queue before the lock is released, so that no later decision can overtake it.
    let turns = state.withLock { state in
      state.isScheduled = false
      guard let value = state.held, shape.demand.takeOne() else { return 0 }
      swap(&state, &emitted)
      state.lastEmission = now
      return (shape.append(value) ? 1 : 0) + (emitted.ending.map { shape.append(completion: $0) } ?? false ? 1 : 0)
    }
    for _ in 0..<turns { shape.takeTurn() }
  }

  @_alwaysEmitIntoClient
  internal func receive(completion: Subscribers.Completion<Failure>, in shape: Shape) {
    _ = scheduler.now
    var unwanted: Output?
    let isAppended = state.withLock { state in
      // A request for nothing schedules a value, too.
      if state.isScheduled, shape.demand.balance != .none {
        state.ending = completion
        return false
      }
      // The end needs no demand: a value that nobody has asked for goes with it.
      swap(&state.held, &unwanted)
      return shape.append(completion: completion)
    }
    if let unwanted { shape.noteDiscard(unwanted, .ended) }
    if isAppended { scheduler.schedule { shape.takeTurn() } }
  }

  @_alwaysEmitIntoClient
  internal func schedule(_ block: @escaping () -> Void) {
    scheduler.schedule(block)
  }

  @_alwaysEmitIntoClient
  internal func discard(in shape: Shape) {
    var rest = State()
    state.withLock { swap(&$0, &rest) }
    if let held = rest.held { shape.noteDiscard(held, .ended) }
  }
}
