// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension PublisherUnderTest {
  /// The rules that a publisher owes its subscribers.
  static let rules: [Rule] = Rule.all.filter { checks[$0] != nil }

  private static let checks: [Rule: Check<Self>] = PublisherChecks.all
    .merging(SubscriptionChecks.all) { first, _ in first }.merging(LifetimeChecks.all) { first, _ in first }
    .merging(GatedChecks.all) { first, _ in first }.merging(TimeChecks.ofPublishers) { first, _ in first }
    .merging(SanitizerChecks.ofPublishers) { first, _ in first }

  func examination(of rule: Rule, inProcess: Bool) -> Examination? {
    guard let check = Self.checks[rule] else { return nil }
    return Execution(
      rule: rule, maySafelyStop: rule == .requestNone, isInProcess: inProcess,
      deliversNothing: traits.contains(.deliversNothing) || counts.upperBound == 0
    ).run { try check(self) }
  }
}
