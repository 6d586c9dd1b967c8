// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A verification of a subscriber against the rules of subscribers.
///
/// ```swift
/// let verification = SubscriberVerification("sink") {
///   Subscribers.Sink<Int, VerificationError>(receiveCompletion: { _ in }, receiveValue: { _ in })
/// }.cancelling { $0.cancel() }
/// try verification.checkAll()
/// ```
///
/// **Concurrency:** as for ``PublisherVerification``.
public struct SubscriberVerification<Subject: Subscriber>: Verification {
  /// The name of the subscriber, in reports.
  public let name: String

  /// The waivers.
  public var waivers: [Rule: String] = [:]

  /// The allowances.
  public var allowances: [Rule: String] = [:]

  /// Whether the checks run in the process itself.
  public var runsInProcess = false

  private let make: @Sendable () -> Subject
  private let input: @Sendable (Int) -> Subject.Input
  private let failure: (@Sendable () -> Subject.Failure)?
  private var cancel: (@Sendable (Subject) -> Void)?
  private var enough: Int?

  /// Creates a verification of a subscriber of numbers.
  public init(_ name: String, _ make: @escaping @Sendable () -> Subject)
  where Subject.Input == Int, Subject.Failure == VerificationError {
    self.init(name, input: { $0 }, failure: { .failed }, make)
  }

  /// Creates a verification of a subscriber of any values.
  ///
  /// - Parameters:
  ///   - name: The name of the subscriber, in reports.
  ///   - input: Makes a value from its number.
  ///   - failure: Makes a failure; `nil` if the subscriber takes none.
  ///   - make: Makes the subscriber; called for each check.
  public init(
    _ name: String, input: @escaping @Sendable (Int) -> Subject.Input,
    failure: (@Sendable () -> Subject.Failure)? = nil, _ make: @escaping @Sendable () -> Subject
  ) {
    (self.name, self.input, self.failure, self.make) = (name, input, failure, make)
  }

  /// Returns a verification that knows how the subscriber is cancelled.
  public func cancelling(_ cancel: @escaping @Sendable (Subject) -> Void) -> Self {
    var copy = self
    copy.cancel = cancel
    return copy
  }

  /// Returns a verification of a subscriber that has enough after a number of values.
  public func enough(_ count: Int) -> Self {
    var copy = self
    copy.enough = count
    return copy
  }

  /// The rules that are checked.
  public var rules: [Rule] { Rule.ofSubscribers.filter { SubscriberChecks.all[$0] != nil } }

  /// Runs one rule.
  public func examination(of rule: Rule) -> Examination? {
    guard let check = SubscriberChecks.all[rule] else { return nil }
    let (make, input, failure, cancel) = (make, input, failure, cancel)
    let subject = SubscriberUnderTest(
      attach: { control, _ in
        let subscriber = make()
        VerificationUpstream(source: .byHand(control), input: input, failure: failure?()).subscribe(subscriber)
        return .init(
          control: control, probe: nil, subscriber: subscriber, settle: {},
          cancel: cancel.map { cancel in { cancel(subscriber) } })
      }, enough: enough)
    return Execution(rule: rule, isInProcess: runsInProcess).run { try check(subject) }
  }
}
