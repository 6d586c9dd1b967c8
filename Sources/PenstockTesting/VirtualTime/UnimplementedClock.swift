// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A Swift clock that must not be used: it traps, or reports, at any use.
///
/// A test passes it to code that should neither wait nor ask for the time on the path that is tested.
///
/// ```swift
/// let clock = UnimplementedClock("poll") { message in print(message.prefix { $0 != "." }) }
/// try? await clock.sleep(until: .init(5), tolerance: nil)
/// // Prints "The unimplemented clock poll was asked to sleep until 5s"
/// ```
///
/// With a closure that reports, the clock does as little as it can afterwards: the time is the one that it was created
/// with, and a sleep throws `CancellationError` at once, so that the code after it does not run.
///
/// **Concurrency:** may be used on any thread; the report runs on the thread that uses it.
///
/// **Traps:** any use, unless there is a closure that reports it. The message has the name of the clock.
public struct UnimplementedClock: Clock, Sendable {
  /// A point in the clock's time.
  public typealias Instant = VirtualClock.Instant

  /// The name in the messages.
  public let name: String

  private let date: VirtualTime
  private let report: (@Sendable (String) -> Void)?

  /// Creates a clock that must not be used.
  ///
  /// - Parameters:
  ///   - name: The name in the messages.
  ///   - now: The time that is returned after a report.
  ///   - report: Called with the message of a use, whose sleep ends then; by default a use traps.
  public init(_ name: String = "Clock", now: VirtualTime = .zero, report: (@Sendable (String) -> Void)? = nil) {
    (self.name, self.report, date) = (name, report, now)
  }

  private func used(_ use: String) {
    trap(Violation.unimplementedClock(name: name, use: use), orReportTo: report)
  }

  /// Reports that the time was read.
  public var now: Instant {
    used("for the time")
    return Instant(date)
  }

  /// Reports that the resolution was read.
  ///
  /// A nanosecond.
  public var minimumResolution: Duration {
    used("for its resolution")
    return .nanoseconds(1)
  }

  /// Reports that a task was to sleep, and throws `CancellationError`.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    used("to sleep until \(deadline.time)")
    throw CancellationError()
  }
}

extension UnimplementedClock: CallingClock {
  // At once, and not in a task that a scheduler would start for it: that task might trap after the test.
  package func call(at date: Instant, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    used("to wait until \(date.time)")
    return {}
  }
}

extension Clock where Self == UnimplementedClock {
  /// Returns a clock that must not be used; see ``UnimplementedClock``.
  ///
  /// - Parameters:
  ///   - name: The name in the messages.
  ///   - report: Called with the message of a use, whose sleep ends then; by default a use traps.
  /// - Returns: A clock that traps or reports.
  public static func unimplemented(
    _ name: String = "Clock", report: (@Sendable (String) -> Void)? = nil
  ) -> UnimplementedClock { UnimplementedClock(name, report: report) }
}
