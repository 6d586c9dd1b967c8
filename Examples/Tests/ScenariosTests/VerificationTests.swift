// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockTesting
import Scenarios
import Testing

/// The rules of streams, for the Fibonacci publisher of the tutorial and for the repaired one.
@Suite struct VerificationTests {
  @Test(arguments: PublisherVerification.rules)
  func `The repaired publisher keeps each rule`(_ rule: Rule) throws {
    try FibonacciVerification.repaired.check(rule)
  }

  /// Each of the tutorial's known mistakes.
  @Test func `The tutorial's publisher is found out`() {
    let broken = Set(FibonacciVerification.tutorial.report().failures.map(\.rule.id))
    #expect(broken.contains("P-03"), "the first two numbers come whatever was requested")
    #expect(broken.contains("P-06") || broken.contains("P-01"), "it finishes again at each later request")
  }
}
