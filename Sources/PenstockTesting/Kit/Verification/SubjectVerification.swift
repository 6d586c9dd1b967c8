// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A verification of a subject against the rules of subjects, and those of publishers that concern it.
///
/// ```swift
/// let verification = SubjectVerification("PassthroughSubject") {
///   PassthroughSubject<Int, VerificationError>()
/// }
/// try verification.checkAll()
/// ```
///
/// **Concurrency:** as for ``PublisherVerification``.
public struct SubjectVerification: Verification {
  /// The name of the subject, in reports.
  public let name: String

  /// The waivers.
  public var waivers: [Rule: String] = [:]

  /// The allowances.
  public var allowances: [Rule: String] = [:]

  /// Whether the checks run in the process itself.
  public var runsInProcess = false

  private var subject: SubjectUnderTest

  /// Creates a verification of a subject.
  ///
  /// - Parameters:
  ///   - name: The name of the subject, in reports.
  ///   - make: Makes the subject; a subject that has a value from the beginning has 0.
  public init<S: Subject>(_ name: String, _ make: @escaping @Sendable () -> S)
  where S.Output == Int, S.Failure == VerificationError {
    self.init(
      named: name, make, send: { $0.send($1) }, end: { $0.send(completion: $1 ? .failure(.failed) : .finished) })
  }

  /// Creates a verification of a publisher that is told what to deliver, though it is not a `Subject`.
  ///
  /// - Parameters:
  ///   - name: The name of the publisher, in reports.
  ///   - make: Makes the publisher; a publisher that has a value from the beginning has 0.
  ///   - send: Sends a value.
  ///   - end: Completes it, with a failure if that is wanted; `nil` for a publisher that does not end.
  public init<P: Publisher<Int, F>, F: Error>(
    _ name: String, _ make: @escaping @Sendable () -> P, send: @escaping @Sendable (P, Int) -> Void,
    end: (@Sendable (P, _ fails: Bool) -> Void)?
  ) {
    self.init(named: name, make, send: send, end: end)
  }

  private init<P: Publisher<Int, F>, F: Error>(
    named name: String, _ make: @escaping () -> P, send: @escaping (P, Int) -> Void,
    end: ((P, _ fails: Bool) -> Void)?
  ) {
    self.name = name
    subject = SubjectUnderTest(make: {
      let publisher = make()
      return ErasedSubject(
        subscribe: {
          publisher.subscribe(
            ProbeSubscriber<Int, F>(probe: $0, combineIdentifier: CombineIdentifier()))
        }, send: { send(publisher, $0) }, end: { end?(publisher, $0) })
    })
    subject.mayEnd = end != nil
    subject.mayFail = F.self != Never.self
  }

  /// Returns a verification of a subject that replays the latest values to a later subscriber.
  ///
  /// - Parameters:
  ///   - count: The number of values.
  ///   - afterEnd: Whether it does so after its end, too.
  public func replaying(_ count: Int, afterEnd: Bool) -> Self {
    var copy = self
    (copy.subject.replay, copy.subject.replaysAfterEnd) = (count, afterEnd)
    return copy
  }

  /// The rules that are checked.
  public static var rules: [Rule] { SubjectUnderTest.rules }

  /// The rules that are checked.
  public var rules: [Rule] { Self.rules }

  /// Runs one rule.
  public func examination(of rule: Rule) -> Examination? {
    subject.examination(of: rule, inProcess: runsInProcess)
  }
}
