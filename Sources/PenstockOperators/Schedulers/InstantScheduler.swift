// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A scheduler with the time of any other one that runs actions at once, on the caller's thread, before the call
/// returns.
///
/// It stands in for a queue where `ImmediateScheduler`, which has a time of its own, does not fit.
///
/// ```swift
/// import PenstockTesting
///
/// let scheduler = InstantScheduler<VirtualTime, Never>(now: .zero)
/// let cancellable = Just("gate").delay(for: 10, scheduler: scheduler).sink { print($0) }
/// print("returned")
/// // Prints "gate", "returned" on two lines.
/// ```
///
/// Its time stands still, and delays are ignored. An action that is scheduled repeatedly runs once. So it does not suit
/// operators that wait for time to pass, such as `debounce`; use a scheduler with virtual time for those.
///
/// With the time of a particular scheduler it is written `ImmediateSchedulerOf<DispatchQueue>(now: .init(.now()))`.
///
/// **Concurrency:** has no state, and may be used on any thread.
public struct InstantScheduler<SchedulerTimeType: Strideable, SchedulerOptions>: Scheduler
where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  /// The time, which stands still.
  public let now: SchedulerTimeType

  /// Creates a scheduler that runs actions at once.
  ///
  /// - Parameter now: The time, which stands still.
  @_alwaysEmitIntoClient
  public init(now: SchedulerTimeType) { self.now = now }

  /// Zero.
  @_alwaysEmitIntoClient
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  /// Runs an action before returning.
  @_alwaysEmitIntoClient
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    action()
  }

  /// Runs an action before returning.
  ///
  /// The date is ignored.
  @_alwaysEmitIntoClient
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    action()
  }

  /// Runs an action once, before returning.
  ///
  /// The date and the interval are ignored.
  ///
  /// - Returns: A cancellable that has no effect.
  @_alwaysEmitIntoClient
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    action()
    return Subscriptions.empty
  }
}

extension InstantScheduler: Sendable where SchedulerTimeType: Sendable {}

/// A scheduler that runs actions at once, with the time and the options of a given scheduler.
public typealias ImmediateSchedulerOf<S: Scheduler> = InstantScheduler<S.SchedulerTimeType, S.SchedulerOptions>

extension AnyScheduler where SchedulerTimeType: Sendable {
  /// A scheduler that runs actions at once, on the caller's thread; see ``InstantScheduler``.
  ///
  /// - Parameter now: The time, which stands still.
  @_alwaysEmitIntoClient
  public static func immediate(now: SchedulerTimeType) -> Self {
    Self(InstantScheduler<SchedulerTimeType, SchedulerOptions>(now: now))
  }
}
