// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// `@unchecked`: the author's closures are `@Sendable`. What wraps them is not, to the compiler, because the type of a publisher
// that is known as `some Publisher` could belong to an actor.

/// A publisher under test, and what its author says of it.
struct PublisherSubject: @unchecked Sendable {
  var finite: ((Int) -> Specimen)?
  var failing: (() -> Specimen)?
  /// A publisher that ticks on the kit's scheduler, and the time between two ticks.
  var ticking: (interval: VirtualTime.Stride, make: () -> Specimen)?
  /// How many values the publisher can be told to deliver.
  var counts = 0...10_000
  var traits: Set<PublisherTrait> = []

  /// More than any stream of a check has.
  static let plenty = Subscribers.Demand.max(1_000)

  /// A publisher of so many values, or of as many as it can deliver.
  func make(_ count: Int) throws -> Specimen {
    guard let finite else { throw Verdict.notApplicable("no finite publisher was given") }
    return finite(counts.clamp(count))
  }

  func run(
    _ count: Int, _ rule: Rule, _ label: String, also own: Set<Rule> = [], _ set: (Probe) -> Void = { _ in }
  ) throws -> Run {
    let run = Run(try make(count), rule, label, also: own)
    set(run.probe)
    return run
  }

  /// The values that a publisher delivers when they are all requested at once, after the subscription.
  func reference(_ count: Int, _ rule: Rule) throws -> [String] {
    let run = try run(count, rule, "everything at once")
    run.subscribe()
    run.request(Self.plenty)
    try run.judge()
    return run.probe.values
  }

  /// The values, where a check needs some of them.
  func reference(_ count: Int, _ rule: Rule, atLeast needed: Int) throws -> [String] {
    let values = try reference(count, rule)
    guard values.count >= needed else {
      throw Verdict.notApplicable("it needs \(needed) values, and the publisher delivers \(values.count)")
    }
    return values
  }

  /// The rules that a publisher owes its subscribers.
  static let rules: [Rule] = Rule.all.filter { checks[$0] != nil }

  private static let checks: [Rule: Check<Self>] = PublisherChecks.all
    .merging(SubscriptionChecks.all) { first, _ in first }.merging(LifetimeChecks.all) { first, _ in first }
    .merging(GatedChecks.all) { first, _ in first }.merging(TimeChecks.ofPublishers) { first, _ in first }
    .merging(SanitizerChecks.ofPublishers) { first, _ in first }

  func outcome(of rule: Rule, inProcess: Bool) -> Outcome? {
    guard let check = Self.checks[rule] else { return nil }
    return Execution.run(.init(maySafelyStop: rule == .requestNone, isInProcess: inProcess)) { try check(self) }
  }

  func mustBeCold() throws {
    if traits.contains(.hot) { throw Verdict.notApplicable("the publisher is hot: what is not requested is gone") }
  }
}
