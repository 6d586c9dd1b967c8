// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A verification of a scheduler against the rule of schedulers.
///
/// For a scheduler whose time the test moves:
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
/// For a scheduler whose time passes on its own, such as a queue of Dispatch: ``init(inRealTime:ordersEqualDates:_:)``.
///
/// **Concurrency:** as for ``PublisherVerification``.
public struct SchedulerVerification<Subject: Scheduler>: Verification {
  /// The name of the scheduler, in reports.
  public let name: String

  /// The waivers.
  public var waivers: [Rule: String] = [:]

  /// The allowances.
  public var allowances: [Rule: String] = [:]

  /// Whether the checks run in the process itself.
  public var runsInProcess = false

  private let make: @Sendable () -> Subject
  /// Moves the time; `nil` if it passes on its own.
  private let advance: (@Sendable (Subject, Subject.SchedulerTimeType.Stride) -> Void)?
  private var ordersEqualDates = true

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

  /// Creates a verification of a scheduler whose time passes on its own, and that runs one action at a time.
  ///
  /// ```swift
  /// import Dispatch
  /// import PenstockDispatch
  ///
  /// let verification = SchedulerVerification(inRealTime: "DispatchQueue", ordersEqualDates: false) {
  ///   DispatchQueue(label: "gauge")
  /// }
  /// try verification.checkAll()
  /// ```
  ///
  /// Each check waits for the action itself, with a limit of some seconds for one that never comes, so that a busy
  /// machine makes the check slower, and nothing else. An action of a later date shows that nothing more comes.
  ///
  /// It runs in the process itself: see ``Verification/inProcess()``.
  ///
  /// - Parameters:
  ///   - name: The name of the scheduler, in reports.
  ///   - ordersEqualDates: Whether actions of one date run in the order in which they were scheduled; `false` for a
  ///     scheduler that does not promise this, such as a queue of Dispatch: then it is enough that all of them run.
  ///   - make: Makes the scheduler; called for each check.
  public init(inRealTime name: String, ordersEqualDates: Bool = true, _ make: @escaping @Sendable () -> Subject) {
    (self.name, self.make, advance) = (name, make, nil)
    self.ordersEqualDates = ordersEqualDates
    runsInProcess = true
  }

  /// The rules that are checked.
  public var rules: [Rule] { [.schedulerContract] }

  /// Runs one rule.
  public func examination(of rule: Rule) -> Examination? {
    guard rule == .schedulerContract else { return nil }
    let (make, advance, ordersEqualDates) = (make, advance, ordersEqualDates)
    return Execution(rule: rule, isInProcess: runsInProcess).run {
      let scheduler = make()
      guard let advance else { return try RealTimeChecks(scheduler, ordersEqualDates: ordersEqualDates).contract() }
      return try SchedulerChecks.contract(
        SchedulerUnderTest(
          elapsed: { [latest = Locked(scheduler.now)] in
            latest.with { latest in
              let earlier = latest
              latest = scheduler.now
              return earlier.distance(to: latest) >= .seconds(0)
            }
          },
          now: { scheduler.schedule(options: nil, $0) },
          after: { scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds($0)), $1) },
          every: {
            scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds($0)), interval: .milliseconds($0), $1)
          },
          advance: { advance(scheduler, .milliseconds($0)) }))
    }
  }
}
