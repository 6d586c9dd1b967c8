// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension SubjectUnderTest {
  static let rules: [Rule] = Rule.all.filter {
    own[$0] != nil || PublisherUnderTest.rules.contains($0)
  }.filter {
    ![.identityPerSubscription, .freesSource, .saysFailure].contains($0) && TimeChecks.ofPublishers[$0] == nil
  }

  private static let own: [Rule: Check<Self>] = SubjectChecks.all
    .merging(SanitizerChecks.ofSubjects) { first, _ in first }

  func examination(of rule: Rule, inProcess: Bool) -> Examination? {
    guard Self.rules.contains(rule) else { return nil }
    guard let check = Self.own[rule] else { return publisher.examination(of: rule, inProcess: inProcess) }
    return Execution(rule: rule, isInProcess: inProcess).run { try check(self) }
  }
}
