// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import PenstockCore

/// The part of an operator that starts a task for each value; ``TaskStage`` is the rest.
@usableFromInline
internal protocol TaskStarter<Input, Output, Failure>: SendableMetatype {
  associatedtype Input
  associatedtype Output: Sendable
  associatedtype Failure: Error

  /// The text that `print()` prints for the operator.
  static var name: String { get }

  /// Starts the task of a value.
  ///
  /// - Parameters:
  ///   - input: The value.
  ///   - end: A closure that the task has to call once, with its result.
  /// - Returns: The task, which is cancelled with the stream.
  func start(_ input: Input, _ end: @escaping @Sendable (Result<Output, Failure>) -> Void) -> Task<Void, Never>
}

/// The stage of the operators that start a task for each value and publish the tasks' results.
///
/// As many values are requested from upstream as tasks may run, and one more whenever a result has been delivered. So
/// the running tasks, the results that wait for an earlier one, and the results that wait for demand are never more
/// than that together.
@usableFromInline
internal struct TaskStage<Starter: TaskStarter>: ScheduledStage, ~Copyable {
  @usableFromInline internal typealias Input = Starter.Input
  @usableFromInline internal typealias Output = Starter.Output
  @usableFromInline internal typealias Failure = Starter.Failure

  @usableFromInline
  internal struct State {
    /// `nil` when the stream has ended on its own, since what it refers to should not live as long as the subscription.
    ///
    /// After a cancel it is kept for a value that arrives at that moment: the task, which is cancelled at once, can
    /// give the value back.
    @usableFromInline internal var starter: Starter?
    /// The running tasks, by the number of the value; `nil` for a task that is being started.
    @usableFromInline internal var tasks: [UInt: Task<Void, Never>?] = [:]
    /// How many values have arrived.
    @usableFromInline internal var count: UInt = 0
    /// The results that wait for delivery.
    ///
    /// If the order is kept, also `nil` for each running task after the first result that has not been delivered.
    @usableFromInline internal var results: Deque<Result<Output, Failure>?> = []
    /// Upstream's completion, or a task's failure if the order is not kept.
    @usableFromInline internal var completion: Subscribers.Completion<Failure>?
    /// Whether results are ignored: the stream has been cancelled, or its completion is on its way.
    @usableFromInline internal var isOver = false
    /// Whether a thread is delivering results, including those that are added meanwhile.
    @usableFromInline internal var isDelivering = false

    @inlinable
    internal init(_ starter: Starter) { self.starter = starter }
  }

  /// What there is to do.
  @usableFromInline
  internal enum Step {
    case deliver(Output)
    case end(Subscribers.Completion<Failure>)
    case rest
  }

  @usableFromInline internal let maxTasks: Subscribers.Demand
  @usableFromInline internal let inOrder: Bool
  @usableFromInline internal let state: Guarded<State>

  @inlinable
  internal init(_ starter: Starter, maxTasks: Subscribers.Demand, inOrder: Bool) {
    state = Guarded(State(starter))
    self.maxTasks = maxTasks
    // One task at a time keeps the order anyway.
    self.inOrder = inOrder && maxTasks != .max(1)
  }

  @inlinable
  internal static var name: String { Starter.name }

  @inlinable
  internal static var countsDemand: Bool { true }

  @inlinable
  internal var prefetch: Subscribers.Demand { maxTasks }

  @inlinable
  internal static var followsDeliveries: Bool { true }

  @inlinable
  internal static var remembersEarlyCancel: Bool { true }

  /// A task may run for a long time after a cancel, and refers to the operator.
  @inlinable
  internal static var releasesDownstream: Bool { true }

  @inlinable
  internal static var keepsForLong: Bool { true }

  /// Results are delivered where the tasks end; those that had to wait for the introduction are delivered after it.
  @inlinable
  internal func schedule(_ block: @escaping () -> Void) { block() }

  // MARK: Signals

  @inlinable
  internal func request(_ demand: Subscribers.Demand, in shape: Shape) {
    if demand == .none { trap(.requestedNothing) }
    shape.demand.add(demand)
    deliver(in: shape) { _ in }
  }

  @inlinable
  internal func upstreamDemand(for returned: Subscribers.Demand, in shape: Shape) -> Subscribers.Demand {
    if returned != .none {
      shape.demand.add(returned)
      deliver(in: shape) { _ in }
    }
    return maxTasks.isUnlimited ? .none : .max(1)
  }

  @inlinable
  internal func receive(_ input: Input, in shape: Shape) -> Subscribers.Demand {
    let place = state.withLock { state -> (number: UInt, starter: Starter)? in
      guard let starter = state.starter else { return nil }
      let number = state.count
      state.count += 1
      if !state.isOver {
        state.tasks[number] = .some(nil)
        if inOrder { state.results.append(nil) }
      }
      return (number, starter)
    }
    guard let (number, starter) = place else {
      shape.noteDiscard(input, .ended)
      return .none
    }
    // `unsafe`: the operator serialises calls from any thread, and the compiler can't know that.
    nonisolated(unsafe) let shape = shape
    let task = starter.start(input) { shape.stage.end(number, $0, in: shape) }
    let isOver = state.withLock { state in
      // The task may have ended already.
      if state.tasks[number] != nil { state.tasks[number] = task }
      return state.isOver
    }
    if isOver { task.cancel() }
    return .none
  }

  @inlinable
  internal func receive(completion: Subscribers.Completion<Failure>, in shape: Shape) {
    releaseStarter()
    deliver(in: shape) { $0.completion = completion }
  }

  /// Called by each task at its end.
  @inlinable
  internal func end(_ number: UInt, _ result: Result<Output, Failure>, in shape: Shape) {
    // Released outside the lock.
    var task: Task<Void, Never>??
    var isLate = false
    deliver(in: shape) { state in
      task = state.tasks.removeValue(forKey: number)
      if state.isOver {
        isLate = true
      } else if inOrder {
        // The place of the last value is the last place.
        state.results[state.results.count - Int(state.count - number)] = result
      } else if case .failure(let error) = result {
        // Results that wait for demand do not hold the failure back.
        state.completion = .failure(error)
      } else {
        state.results.append(result)
      }
    }
    if isLate, case .success(let value) = result { shape.noteDiscard(value, .ended) }
    withExtendedLifetime(task) {}
  }

  @inlinable
  internal func cancelTimers(in shape: Shape) {
    // Upstream may also have completed, and the tasks continue then.
    guard shape.isClosed else { return }
    // Upstream is cancelled first: what a task gives back because of the cancel must not come to this subscriber.
    _ = shape.cancelUpstream()
    cancelTasks()
  }

  // MARK: Delivering

  /// Changes the state, and then delivers what can be delivered, one thread at a time: results that others add
  /// meanwhile are delivered by the same thread.
  ///
  /// So if a subscriber requests more during a delivery, no delivery is nested in another.
  @inlinable
  internal func deliver(in shape: Shape, _ change: (inout State) -> Void) {
    var step = state.withLock { state in
      change(&state)
      return exchange(&state.isDelivering, with: true) ? .rest : next(&state, shape.demand)
    }
    while true {
      switch step {
      case .deliver(let output):
        if shape.append(output) { shape.scheduleTurn() } else { shape.noteDiscard(output, .ended) }
      case .end(let completion):
        _ = shape.cancelUpstream()
        cancelTasks()
        releaseStarter()
        discard(in: shape)
        shape.schedule(completion: completion)
      case .rest: return
      }
      step = state.withLock { next(&$0, shape.demand) }
    }
  }

  /// Takes what can be delivered next; called under the lock, by the thread that delivers.
  @inlinable
  internal func next(_ state: inout State, _ demand: borrowing DemandLedger) -> Step {
    if !state.isOver {
      if let end = findEnd(&state) {
        state.isOver = true
        return .end(end)
      }
      if case .success(let output)?? = state.results.first, demand.takeOne() {
        state.results.removeFirst()
        return .deliver(output)
      }
    }
    state.isDelivering = false
    return .rest
  }

  /// Returns the end of the stream, if it is due: a failure at once, except for a task's failure whose turn has not
  /// come.
  @inlinable
  internal func findEnd(_ state: inout State) -> Subscribers.Completion<Failure>? {
    if case .failure? = state.completion { return state.completion }
    if case .failure(let error)?? = state.results.first { return .failure(error) }
    return state.results.isEmpty && state.tasks.isEmpty ? state.completion : nil
  }

  @inlinable
  internal func cancelTasks() {
    let tasks = state.withLock { state in
      state.isOver = true
      return exchange(&state.tasks, with: [:])
    }
    for task in tasks.values { task?.cancel() }
  }

  @inlinable
  internal func releaseStarter() {
    // Released outside the lock.
    let starter = state.withLock { $0.starter.take() }
    withExtendedLifetime(starter) {}
  }

  /// The tasks have been cancelled or have ended by then.
  @inlinable
  internal func discard(in shape: Shape) {
    // Released outside the lock.
    var rest: Deque<Result<Output, Failure>?> = []
    state.withLock { swap(&rest, &$0.results) }
    shape.noteDiscards(of: rest.lazy.compactMap { try? $0?.get() }, .ended)
  }

  // MARK: Tools

  @usableFromInline
  internal func show(in link: inout LinkState) {
    let (running, waiting) = state.withLock { state in
      (state.tasks.count, state.results.count { $0 != nil })
    }
    link.waiting = (link.waiting ?? 0) + waiting
    if let limit = maxTasks.max, running >= limit { link.wait = .limit(running: running) }
  }
}
