// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import Testing

private func verification(_ fault: SubscriberFault?) -> SubscriberVerification<ZooSubscriber> {
  SubscriberVerification(fault?.rawValue ?? "well-behaved") { ZooSubscriber(fault) }.enough(3)
}

@Suite struct SubscriberZooTests {
  @Test(.hasOwnProcesses, arguments: SubscriberFault.allCases)
  func `Each fault of a subscriber is found by its rule, and by no other`(_ fault: SubscriberFault) async {
    let report = await verification(fault).report()
    #expect(report.leading.map(\.rule.id) == [fault.rule], "\(report)")
  }

  @Test(arguments: verification(nil).rules)
  func `A subscriber without a fault keeps each rule`(_ rule: Rule) throws {
    let result = verification(nil).result(of: rule)
    guard case .held = result.outcome else {
      Issue.record("\(result)")
      return
    }
  }
}
