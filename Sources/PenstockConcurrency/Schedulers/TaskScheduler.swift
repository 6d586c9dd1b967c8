// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A scheduler that performs actions on an actor, on an executor of tasks, or on Swift's own threads.
///
/// So Combine's timing and scheduling operators work without a dispatch queue: on a server's executor, on the main
/// actor, in the time of any Swift clock.
///
/// ```swift
/// let scheduler = TaskScheduler(on: MainActor.shared)
/// let (stream, end) = AsyncStream<Never>.makeStream()
/// let cancellable = ["gate"].publisher
///   .delay(for: .milliseconds(10), scheduler: scheduler)
///   .sink { word in
///     MainActor.assertIsolated()
///     print(word)
///     end.finish()
///   }
/// for await _ in stream {}
/// cancellable.cancel()
/// // Prints "gate".
/// ```
///
/// The time is that of a clock: by default, the continuous clock. With the clock of `PenstockTesting` the time is
/// virtual; then ``settled()`` returns when everything that is due has been performed.
///
/// **Concurrency:** actions are performed one after the other, in the order in which they become due, wherever they are
/// performed. There is no task for each: one job performs the actions that wait, and after 256 actions it lets other
/// work have the actor. Actions may be scheduled from any thread. Task-local values do not reach them. Closures are
/// stored unchanged, so they must be safe where they are called.
public struct TaskScheduler<C: Clock>: Scheduler, Sendable where C.Duration == Duration {
  public typealias SchedulerTimeType = ClockTime<C>
  public typealias SchedulerOptions = Never

  private let timed: TimedActions<C>

  private init(_ clock: C, _ start: @escaping @Sendable (TaskActions) -> Void) { timed = TimedActions(clock, start) }

  /// Creates a scheduler that performs its actions on an actor, which it retains.
  ///
  /// - Parameters:
  ///   - actor: The actor; `MainActor.shared` for the main one.
  ///   - clock: The clock that measures the time.
  public init<A: Actor>(on actor: A, clock: C = ContinuousClock()) {
    self.init(clock) { actions in Task.detached { await actions.run(on: actor) } }
  }

  /// Creates a scheduler that performs its actions on an executor of tasks.
  ///
  /// - Parameters:
  ///   - executor: The executor; it need not be serial.
  ///   - clock: The clock that measures the time.
  public init(on executor: any TaskExecutor, clock: C = ContinuousClock()) {
    self.init(clock) { actions in Task.detached(executorPreference: executor) { await actions.run() } }
  }

  /// Creates a scheduler that performs its actions on the threads that Swift keeps for tasks.
  ///
  /// - Parameter clock: The clock that measures the time.
  public init(clock: C = ContinuousClock()) {
    self.init(clock) { actions in Task.detached { await actions.run() } }
  }

  // MARK: The scheduler's requirements

  /// The clock's time.
  public var now: ClockTime<C> { timed.now }

  /// The clock's resolution.
  public var minimumTolerance: ClockStride { timed.minimumTolerance }

  /// Performs an action as soon as the actions before it have been performed.
  public func schedule(options: Never?, _ action: @escaping () -> Void) { timed.schedule(action) }

  /// Performs an action when the clock has reached a date, after actions with an earlier date, and after those with the
  /// same date that were scheduled before.
  ///
  /// The tolerance is passed to the clock: how much later it may wake.
  public func schedule(
    after date: ClockTime<C>, tolerance: ClockStride, options: Never?, _ action: @escaping () -> Void
  ) { timed.schedule(after: date, tolerance: tolerance, action) }

  /// Performs an action repeatedly, from a date on.
  ///
  /// Tick *k* is due at the start plus *k* intervals, however late earlier ticks were. A tick that is due while the
  /// previous one still waits is left out, as by a timer of Dispatch. An interval of zero or less is 0.0001 s, as for a
  /// `Timer`.
  ///
  /// - Returns: A cancellable; the action is not performed again when it is cancelled or deallocated.
  public func schedule(
    after date: ClockTime<C>, interval: ClockStride, tolerance: ClockStride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable { timed.schedule(after: date, interval: interval, tolerance: tolerance, action) }

  /// Suspends until everything that is due has been performed.
  ///
  /// In a test with a virtual clock, move the time, and then await this method. A scheduler on the executor of virtual
  /// time, `TaskScheduler(on: time.executor, clock: time.clock)`, does not need it: everything that is due has been
  /// performed when `advance` returns.
  public func settled() async { await timed.actions.settled() }
}

extension Publisher {
  /// Delivers values and the completion on an actor.
  ///
  /// Downstream runs on the actor, but the compiler does not know it: closures that use the actor's state have to say
  /// so, with `assumeIsolated`. The closures of ``sink(on:limit:receiveCompletion:receiveValue:)-(A,_,_,_)`` and the
  /// other isolated sinks need not.
  ///
  /// ```swift
  /// let (stream, end) = AsyncStream<Never>.makeStream()
  /// let cancellable = [1].publisher.receive(on: MainActor.shared).sink { value in
  ///   MainActor.assertIsolated()
  ///   print(value)
  ///   end.finish()
  /// }
  /// for await _ in stream {}
  /// cancellable.cancel()
  /// // Prints "1".
  /// ```
  ///
  /// **Demand:**, **Completion:** and **Failure:** as for Combine's `receive(on:options:)`.
  ///
  /// **Concurrency:** downstream is called on the actor, by a ``TaskScheduler``.
  ///
  /// - Parameter actor: The actor; the pipeline retains it.
  /// - Returns: A publisher that delivers on the actor.
  public consuming func receive<A: Actor>(on actor: A) -> Publishers.ReceiveOn<Self, TaskScheduler<ContinuousClock>> {
    receive(on: TaskScheduler(on: actor))
  }

  /// Delivers values and the completion on an executor of tasks, one after the other.
  ///
  /// ```swift
  /// let executor: any TaskExecutor = globalConcurrentExecutor
  /// let (stream, end) = AsyncStream<Never>.makeStream()
  /// let cancellable = [1].publisher.receive(on: executor).sink { value in
  ///   print(value)
  ///   end.finish()
  /// }
  /// for await _ in stream {}
  /// cancellable.cancel()
  /// // Prints "1".
  /// ```
  ///
  /// **Demand:**, **Completion:** and **Failure:** as for Combine's `receive(on:options:)`.
  ///
  /// **Concurrency:** downstream is called on the executor's threads, by a ``TaskScheduler``, never on two at a time.
  ///
  /// - Parameter executor: The executor; it need not be serial.
  /// - Returns: A publisher that delivers on the executor.
  public consuming func receive(on executor: any TaskExecutor)
    -> Publishers.ReceiveOn<Self, TaskScheduler<ContinuousClock>>
  {
    receive(on: TaskScheduler(on: executor))
  }
}
