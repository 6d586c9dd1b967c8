// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A verification of a publisher against the rules of publishers and subscriptions.
///
/// Say how to make it: with a number of values, and, if it can fail, failing. The kit subscribes, requests and cancels in
/// every way that a subscriber may.
///
/// ```swift
/// let verification = PublisherVerification("countdown").finite { count in
///   (0..<count).reversed().publisher
/// }
/// try verification.checkAll()
/// print(verification.report().failures.count)
/// // Prints "0"
/// ```
///
/// In Swift Testing, one line per rule; in XCTest, a call that throws:
///
/// ```text
/// @Test(arguments: PublisherVerification.rules)
/// func countdown(_ rule: Rule) throws { try verification.check(rule) }
///
/// func testCountdown() throws { try verification.checkAll() }
/// ```
///
/// A rule that the publisher breaks on purpose is waived, with the reason: ``Verification/waiving(_:because:)``.
///
/// **Concurrency:** each check runs on a thread of its own, with a limit of some seconds for a call that never returns.
/// Checks whose break would stop the process run in a process of their own, if the system can make one.
public struct PublisherVerification: Verification {
  /// The name of the publisher, in reports.
  public let name: String

  /// The waivers.
  public var waivers: [Rule: String] = [:]

  /// The allowances.
  public var allowances: [Rule: String] = [:]

  /// Whether the checks run in the process itself.
  public var runsInProcess = false

  var subject = PublisherUnderTest()

  /// Creates a verification of a publisher that is still to be given.
  public init(_ name: String) { self.name = name }

  /// The rules that are checked.
  public static var rules: [Rule] { PublisherUnderTest.rules }

  /// The rules that are checked.
  public var rules: [Rule] { Self.rules }

  /// Returns a verification of a publisher that delivers a number of values, and finishes.
  ///
  /// - Parameters:
  ///   - counts: The numbers of values that it can deliver.
  ///   - make: Makes the publisher; called for each run of each check.
  public func finite<P: Publisher>(
    _ counts: ClosedRange<Int> = 0...10_000, _ make: @escaping @Sendable (Int) -> P
  ) -> Self {
    var copy = self
    copy.subject.counts = counts
    copy.subject.finite = { ErasedPublisher(Driven(make($0))) }
    return copy
  }

  /// Returns a verification of a publisher that has to be driven, such as by moving virtual time.
  public func finite<P: Publisher>(
    _ counts: ClosedRange<Int> = 0...10_000, _ make: @escaping @Sendable (Int) -> Driven<P>
  ) -> Self {
    var copy = self
    copy.subject.counts = counts
    copy.subject.finite = { ErasedPublisher(make($0)) }
    return copy
  }

  /// Returns a verification of a publisher that delivers a number of values on a scheduler, with a scheduler of the
  /// kit.
  ///
  /// - Parameters:
  ///   - counts: The numbers of values that it can deliver.
  ///   - time: How much time passes after each step of a check; until nothing more comes, it passes again and again.
  ///   - make: Makes the publisher; called for each run of each check.
  public func finite<P: Publisher>(
    _ counts: ClosedRange<Int> = 0...10_000, passing time: VirtualTime.Stride = .seconds(3),
    _ make: @escaping @Sendable (Int, VerificationScheduler) -> P
  ) -> Self {
    var copy = self
    copy.subject.counts = counts
    copy.subject.finite = { count in ErasedPublisher(passing: time) { make(count, $0) } }
    return copy
  }

  /// Returns a verification of a publisher that ticks on a scheduler, with a scheduler of the kit.
  ///
  /// ```swift
  /// import PenstockOperators
  ///
  /// let verification = PublisherVerification("heartbeat").ticking(every: 2) { scheduler in
  ///   Publishers.interval(2, scheduler: scheduler)
  /// }
  /// try verification.checkAll()
  /// ```
  ///
  /// It unlocks the rules of time: ticks do not drift, even if the scheduler is late; nothing is left on the scheduler
  /// after a cancel; ticks that nobody has requested do not come in a burst later.
  ///
  /// - Parameters:
  ///   - interval: The time between two ticks.
  ///   - make: Makes the publisher; called for each run of each check.
  public func ticking<P: Publisher>(
    every interval: VirtualTime.Stride, _ make: @escaping @Sendable (VerificationScheduler) -> P
  ) -> Self {
    var copy = self
    copy.subject.ticking = .init(interval: interval) { ErasedPublisher(passing: 0, make) }
    return copy
  }

  /// Returns a verification that also knows how the publisher fails on a scheduler, with a scheduler of the kit.
  ///
  /// - Parameters:
  ///   - time: How much time passes after each step of a check; it passes again and again until the failure has come.
  ///   - make: Makes the publisher; called for each run of each check.
  public func failing<P: Publisher>(
    passing time: VirtualTime.Stride = .seconds(3), _ make: @escaping @Sendable (VerificationScheduler) -> P
  ) -> Self {
    var copy = self
    copy.subject.failing = { ErasedPublisher(passing: time, make) }
    return copy
  }

  /// Returns a verification that also knows how the publisher fails.
  public func failing<P: Publisher>(_ make: @escaping @Sendable () -> P) -> Self {
    var copy = self
    copy.subject.failing = { ErasedPublisher(Driven(make())) }
    return copy
  }

  /// Returns a verification that also knows how a publisher that has to be driven fails.
  public func failing<P: Publisher>(_ make: @escaping @Sendable () -> Driven<P>) -> Self {
    var copy = self
    copy.subject.failing = { ErasedPublisher(make()) }
    return copy
  }

  /// Returns a verification of a publisher with special properties.
  public func traits(_ traits: PublisherTrait...) -> Self {
    var copy = self
    copy.subject.traits.formUnion(traits)
    return copy
  }

  /// Runs one rule.
  public func examination(of rule: Rule) -> Examination? {
    subject.examination(of: rule, inProcess: runsInProcess)
  }
}
