// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A scheduler that hides the type of another one, with the same time and the same options.
///
/// Code that takes an `AnyScheduler` works with a queue in the program, and with virtual time in its tests.
///
/// ```swift
/// import PenstockTesting
///
/// struct Search {
///   let scheduler: AnyScheduler<VirtualTime, Never>
///   func results(_ text: some Publisher<String, Never>) -> some Publisher<String, Never> {
///     text.debounce(for: 0.5, scheduler: scheduler)
///   }
/// }
/// let time = VirtualTimeScheduler()
/// let typed = PassthroughSubject<String, Never>()
/// let cancellable = Search(scheduler: time.eraseToAnyScheduler()).results(typed).sink { print($0, time.now) }
/// typed.send("gate")
/// time.advance(by: 1)
/// // Prints "gate 0.5s".
/// ```
///
/// The type for a particular scheduler's time is written `AnySchedulerOf<DispatchQueue>`; with
/// `PenstockOperatorsFoundation`, `.main`, `.global()` and `.immediate` are values of it.
///
/// **Concurrency:** may be used on any thread, like the scheduler in it: only a Sendable scheduler can be erased,
/// unless the caller vouches for it, as in `AnyScheduler(unchecked: RunLoop.main)`.
public struct AnyScheduler<SchedulerTimeType: Strideable, SchedulerOptions>: Scheduler, Sendable
where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  @usableFromInline internal let calls: SchedulerCalls<SchedulerTimeType, SchedulerOptions>

  /// Creates a scheduler that hides the type of another one.
  ///
  /// - Parameter scheduler: The scheduler that does the work.
  @_alwaysEmitIntoClient
  public init<S: Scheduler & Sendable>(_ scheduler: S)
  where S.SchedulerTimeType == SchedulerTimeType, S.SchedulerOptions == SchedulerOptions {
    calls = SchedulerCalls(scheduler)
  }

  /// Creates a scheduler that hides the type of another one, which the compiler does not know to be Sendable.
  ///
  /// A run loop is such a scheduler: it is not Sendable, but its scheduler methods may be called on any thread.
  ///
  /// - Parameter scheduler: The scheduler that does the work, for whose safety the caller vouches.
  @_alwaysEmitIntoClient
  public init<S: Scheduler>(unchecked scheduler: S)
  where S.SchedulerTimeType == SchedulerTimeType, S.SchedulerOptions == SchedulerOptions {
    calls = SchedulerCalls(scheduler)
  }

  /// The current time of the scheduler.
  @_alwaysEmitIntoClient
  public var now: SchedulerTimeType { calls.now() }

  /// The smallest tolerance that the scheduler supports.
  @_alwaysEmitIntoClient
  public var minimumTolerance: SchedulerTimeType.Stride { calls.minimumTolerance() }

  /// Runs an action as soon as possible.
  @_alwaysEmitIntoClient
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    calls.run(options, action)
  }

  /// Runs an action once, after a given time.
  @_alwaysEmitIntoClient
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    calls.runLater(date, tolerance, options, action)
  }

  /// Runs an action repeatedly, first after a given time.
  ///
  /// - Returns: A cancellable that stops the repetition.
  @_alwaysEmitIntoClient
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    calls.runRepeatedly(date, interval, tolerance, options, action)
  }
}

/// A scheduler that hides the type of another one, with the time and the options of a given scheduler.
public typealias AnySchedulerOf<S: Scheduler> = AnyScheduler<S.SchedulerTimeType, S.SchedulerOptions>

extension Scheduler where Self: Sendable {
  /// Hides the type of this scheduler.
  ///
  /// ```swift
  /// let scheduler: AnySchedulerOf<ImmediateScheduler> = ImmediateScheduler.shared.eraseToAnyScheduler()
  /// scheduler.schedule { print("run") }
  /// // Prints "run".
  /// ```
  ///
  /// - Returns: A scheduler that passes everything on to this one.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func eraseToAnyScheduler() -> AnySchedulerOf<Self> { AnyScheduler(self) }
}
