// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Checks a scheduler whose time the test moves against the rule of schedulers.
///
/// ```swift
/// let verification = SchedulerVerification("virtual time") {
///   VirtualTimeScheduler()
/// } advance: {
///   $0.advance(by: $1)
/// }
/// try verification.checkAll()
/// ```
///
/// **Concurrency:** as for ``PublisherVerification``.
public struct SchedulerVerification<Subject: Scheduler>: Verification {
  /// The name of the scheduler, in reports.
  public let name: String

  /// The waivers.
  public var waivers: [Rule: String] = [:]

  private let make: @Sendable () -> Subject
  private let advance: @Sendable (Subject, Subject.SchedulerTimeType.Stride) -> Void

  /// Creates a verification of a scheduler.
  ///
  /// - Parameters:
  ///   - name: The name of the scheduler, in reports.
  ///   - make: Makes the scheduler; called for each check.
  ///   - advance: Moves its time.
  public init(
    _ name: String, _ make: @escaping @Sendable () -> Subject,
    advance: @escaping @Sendable (Subject, Subject.SchedulerTimeType.Stride) -> Void
  ) {
    (self.name, self.make, self.advance) = (name, make, advance)
  }

  /// The rules that are checked.
  public var rules: [Rule] { [.schedulerContract] }

  /// Runs one rule.
  public func outcome(of rule: Rule) -> Outcome? {
    guard rule == .schedulerContract else { return nil }
    let (make, advance) = (make, advance)
    return Execution.run(.init()) {
      let scheduler = make()
      return try SchedulerChecks.contract(
        SchedulerSubject(
          elapsed: { [start = scheduler.now] in start.distance(to: scheduler.now) >= .seconds(0) },
          now: { scheduler.schedule(options: nil, $0) },
          after: { scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds($0)), $1) },
          every: {
            scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds($0)), interval: .milliseconds($0), $1)
          },
          advance: { advance(scheduler, .milliseconds($0)) }))
    }
  }
}
