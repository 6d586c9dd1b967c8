// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import Testing

private func verification(_ fault: TimerFault?) -> PublisherVerification {
  PublisherVerification(fault?.rawValue ?? "well-behaved")
    .finite { count, scheduler in ZooTimer(count: count, scheduler: scheduler, fault: fault) }
    .ticking(every: 1) { scheduler in ZooTimer(count: .max, scheduler: scheduler, fault: fault) }
    .traits(.hot)
}

private func verification(_ fault: DelayFault?) -> OperatorVerification {
  OperatorVerification(fault?.rawValue ?? "well-behaved") { upstream, scheduler in
    ZooDelay(upstream: upstream, scheduler: scheduler, fault: fault)
  }
}

@Suite struct TimeZooTests {
  @Test(arguments: TimerFault.allCases)
  func `Each fault of a timer is found by its rule, and by no other`(_ fault: TimerFault) async {
    let report = await verification(fault).report()
    #expect(report.leading.map(\.rule.id) == [fault.rule], "\(report)")
  }

  @Test(arguments: PublisherVerification.rules)
  func `A timer without a fault keeps each rule`(_ rule: Rule) {
    let result = verification(TimerFault?.none).result(of: rule)
    #expect(!result.outcome.isBroken, "\(result)")
    if rule.id.hasPrefix("T") { #expect(result.outcome.word == "held", "\(result)") }
  }

  @Test(arguments: DelayFault.allCases)
  func `Each fault of a delay is found by its rule, and by no other`(_ fault: DelayFault) async {
    let report = await verification(fault).report()
    #expect(report.leading.map(\.rule.id) == [fault.rule], "\(report)")
  }

  @Test(arguments: OperatorVerification.rules)
  func `A delay without a fault keeps each rule`(_ rule: Rule) {
    let result = verification(DelayFault?.none).result(of: rule)
    #expect(!result.outcome.isBroken, "\(result)")
    if ["T-01", "T-02", "T-04"].contains(rule.id) { #expect(result.outcome.word == "held", "\(result)") }
  }

  @Test func `A request that is said to be on the scheduler, and is not`() {
    let direct = OperatorVerification("direct", on: .subscriptions) { upstream, _ in upstream.map { $0 } }
    #expect(direct.result(of: .named("T-01")!).outcome.isBroken)
    let moved = OperatorVerification("moved", on: .subscriptions) { $0.subscribe(on: $1) }
    #expect(moved.result(of: .named("T-01")!).outcome.word == "held")
  }

  @Test func `Without the kit's scheduler no rule of time applies, and without the sanitizer C-07 says nothing`() {
    let plain = OperatorVerification("plain") { $0.map { $0 } }
    for id in ["T-01", "T-03", "T-04", "T-05"] {
      #expect(plain.result(of: .named(id)!).outcome.word == "not applicable", "\(id)")
    }
    let word = plain.result(of: .named("C-07")!).outcome.word
    #expect(word == (SanitizerProbe.isUnderThreadSanitizer ? "held" : "inconclusive"))
  }
}
