// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import Testing

/// The verification of a publisher of numbers that misbehaves in one way, or not at all.
private func verification(_ misbehavior: Misbehavior?) -> PublisherVerification {
  PublisherVerification(misbehavior?.rawValue ?? "well-behaved")
    .finite { count in
      MisbehavingPublisher(Array(0..<count), completion: .finished, misbehavior) as MisbehavingPublisher<Int, ZooError>
    }
    .failing { MisbehavingPublisher([1], completion: .failure(ZooError.oops), misbehavior) }
}

@Suite struct MisbehaviorTests {
  @Test(.hasOwnProcesses, arguments: Misbehavior.allCases)
  func `Each misbehavior is found by its rule, and by no other`(_ misbehavior: Misbehavior) async {
    let report = await verification(misbehavior).report()
    #expect(report.leading.map(\.rule.id) == [misbehavior.rule.id], "\(report)")
  }

  @Test(arguments: PublisherVerification.rules)
  func `A publisher without a misbehavior keeps each rule`(_ rule: Rule) throws {
    try verification(nil).check(rule)
  }
}
