// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A scheduler that must not be used: any use of it traps, or is reported.
///
/// A test gives it to code that should not need a scheduler on the tested path.
///
/// ```swift
/// import PenstockTesting
///
/// let scheduler = UnimplementedScheduler<VirtualTime, Never>("poll", now: .zero) { message in
///   print(message.prefix { $0 != "." })
/// }
/// scheduler.schedule { print("not run") }
/// // Prints "The unimplemented scheduler poll was asked to run an action".
/// ```
///
/// **Concurrency:** may be used on any thread; the report runs on the thread that uses it.
///
/// **Traps:** any use, unless there is a closure that reports it. The message has the name of the scheduler.
public struct UnimplementedScheduler<SchedulerTimeType: Strideable, SchedulerOptions>: Scheduler
where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  /// The name in the messages.
  public let name: String

  private let date: SchedulerTimeType
  private let report: (@Sendable (String) -> Void)?

  /// Creates a scheduler that must not be used.
  ///
  /// - Parameters:
  ///   - name: The name in the messages.
  ///   - now: The time that is returned after a report.
  ///   - report: Called with the message for a use, whose action is then dropped; by default a use traps.
  public init(_ name: String, now: SchedulerTimeType, report: (@Sendable (String) -> Void)? = nil) {
    self.name = name
    self.report = report
    date = now
  }

  private func used(_ use: String) {
    trap(Violation.unimplementedScheduler(name: name, use: use), orReportTo: report)
  }

  /// Reports that the time was read.
  public var now: SchedulerTimeType {
    used("for the time")
    return date
  }

  /// Reports that the tolerance was read.
  public var minimumTolerance: SchedulerTimeType.Stride {
    used("for its tolerance")
    return .zero
  }

  /// Reports that an action was to be run.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    used("to run an action")
  }

  /// Reports that an action was to be run later.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    used("to run an action later")
  }

  /// Reports that an action was to be run repeatedly.
  ///
  /// - Returns: A cancellable that has no effect.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    used("to run an action repeatedly")
    return Subscriptions.empty
  }
}

extension UnimplementedScheduler: Sendable where SchedulerTimeType: Sendable {}

/// A scheduler that must not be used, with the time and the options of a given scheduler.
public typealias UnimplementedSchedulerOf<S: Scheduler> =
  UnimplementedScheduler<S.SchedulerTimeType, S.SchedulerOptions>

extension AnyScheduler where SchedulerTimeType: Sendable {
  /// A scheduler that must not be used; see ``UnimplementedScheduler``.
  ///
  /// - Parameters:
  ///   - name: The name in the messages.
  ///   - now: The time that is returned after a report.
  ///   - report: Called with the message for a use, whose action is then dropped; by default a use traps.
  public static func unimplemented(
    _ name: String, now: SchedulerTimeType, report: (@Sendable (String) -> Void)? = nil
  ) -> Self {
    Self(UnimplementedScheduler<SchedulerTimeType, SchedulerOptions>(name, now: now, report: report))
  }
}
