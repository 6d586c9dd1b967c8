// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import Testing

private func verification(_ fault: SubjectFault?) -> SubjectVerification {
  SubjectVerification(fault?.rawValue ?? "well-behaved") { ZooSubject(fault) }.replaying(3, afterEnd: true)
}

@Suite struct SubjectZooTests {
  @Test(.hasOwnProcesses, arguments: SubjectFault.allCases)
  func `Each fault of a subject is found by its rule, and by no other`(_ fault: SubjectFault) async {
    let report = await verification(fault).report()
    #expect(report.leading.map(\.rule.id) == [fault.rule], "\(report)")
  }

  @Test(arguments: SubjectVerification.rules)
  func `A subject without a fault keeps each rule`(_ rule: Rule) throws {
    let result = verification(nil).result(of: rule)
    #expect(!result.outcome.isBroken, "\(result)")
  }

  @Test(arguments: SubjectVerification.rules)
  func `Combine's subjects keep each rule`(_ rule: Rule) throws {
    try SubjectVerification("PassthroughSubject") { PassthroughSubject<Int, VerificationError>() }.check(rule)
    try SubjectVerification("CurrentValueSubject") { CurrentValueSubject<Int, VerificationError>(0) }
      .replaying(1, afterEnd: false).check(rule)
  }
}
