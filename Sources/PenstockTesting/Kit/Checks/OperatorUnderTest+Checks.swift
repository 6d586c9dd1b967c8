// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension OperatorUnderTest {
  static let rules: [Rule] = Rule.all.filter {
    PublisherUnderTest.rules.contains($0) || SubscriberChecks.all[$0] != nil || own[$0] != nil
  }.filter { $0 != .cancelsWhenDone }

  private static let own: [Rule: Check<Self>] = OperatorChecks.all
    .merging(OperatorChecks.further) { first, _ in first }.merging(TimeChecks.ofOperators) { first, _ in first }

  func examination(of rule: Rule, inProcess: Bool) -> Examination? {
    guard Self.rules.contains(rule) else { return nil }
    let execution = Execution(
      rule: rule, maySafelyStop: rule == .stopsRogueSignals, isInProcess: inProcess,
      deliversNothing: traits.contains(.deliversNothing))
    if let check = Self.own[rule] { return execution.run { try check(self) } }
    if let check = SubscriberChecks.all[rule] { return execution.run { try check(receiver) } }
    return publisher.examination(of: rule, inProcess: inProcess)
  }
}
