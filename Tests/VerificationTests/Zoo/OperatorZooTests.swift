// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import Testing

/// The verification of the zoo's operator, which filters, keeps three, ends after 20 and tries twice, with or without a
/// fault.
private func verification(_ fault: OperatorFault?, _ plan: ZooPlan<Int> = plan) -> OperatorVerification {
  OperatorVerification(fault?.rawValue ?? "well-behaved") { upstream in
    ZooOperator(upstream.mapError { $0 as any Error }, plan, fault)
  }
  .throwing { upstream, check in
    var plan = plan
    plan.isKept = {
      try check($0)
      return true
    }
    return ZooOperator(upstream.mapError { $0 as any Error }, plan, fault)
  }
  .objects { upstream in
    ZooOperator(upstream.mapError { $0 as any Error }, ZooPlan(prefetch: 3), fault)
  }
  .traits(.prefetches(plan.prefetch))
}

private let plan = ZooPlan<Int>(isKept: { !$0.isMultiple(of: 3) }, prefetch: 3, limit: 20)
private let retrying = ZooPlan<Int>(retries: 100_000)

@Suite struct OperatorZooTests {
  private static let ofRetrying: [OperatorFault] = [
    .passesOnSecondSubscription, .retriesRecursively, .forgetsDemandAtRetry,
  ]

  @Test(.hasOwnProcesses, arguments: OperatorFault.allCases)
  func `Each fault of an operator is found by its rule, and by no other`(_ fault: OperatorFault) async {
    var plan = plan
    // An operator that repeats itself has to be able to continue.
    if fault == .repeatsLatest { plan.limit = nil }
    var verification = verification(fault, plan)
    if Self.ofRetrying.contains(fault) {
      verification = OperatorVerification(fault.rawValue) { upstream in
        ZooOperator(upstream.mapError { $0 as any Error }, retrying, fault)
      }.traits(.catchesFailure)
    }
    let report = await verification.report()
    #expect(report.leading.map(\.rule.id) == [fault.rule], "\(report)")
  }

  @Test(arguments: OperatorVerification.rules)
  func `An operator without a fault keeps each rule`(_ rule: Rule) throws {
    let result = verification(nil).result(of: rule)
    #expect(!result.outcome.isBroken, "\(result)")
  }

  @Test(arguments: OperatorVerification.rules)
  func `One that tries again keeps each rule`(_ rule: Rule) throws {
    let result = OperatorVerification("retrying") { upstream in
      ZooOperator(upstream.mapError { $0 as any Error }, retrying, nil)
    }.traits(.catchesFailure).result(of: rule)
    #expect(!result.outcome.isBroken, "\(result)")
  }
}
