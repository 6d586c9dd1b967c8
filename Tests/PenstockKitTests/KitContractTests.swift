// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockKit
import PenstockTesting
import TestSupport
import Testing

/// What operators get that a client writes with the kit: the contract of the library's own.
@Suite struct KitContractTests {
  @Test(arguments: OperatorSpec.ofKit, [0, 1, 7])
  func `However values are asked for, they are the same`(_ spec: OperatorSpec, _ count: Int) {
    OperatorContract.valuesDoNotDependOnRequests(spec, count: count)
  }

  @Test(arguments: OperatorSpec.ofKit)
  func `They deliver within demand, and request what is requested`(_ spec: OperatorSpec) {
    OperatorContract.deliversWithinDemand(spec)
    if spec.requests == .whatIsRequested { OperatorContract.requestsWhatIsRequested(spec) }
  }

  @Test(arguments: OperatorSpec.ofKit)
  func `A cancel during a delivery is the end`(_ spec: OperatorSpec) {
    OperatorContract.endsWithCancelDuringValue(spec)
    OperatorContract.endsWithCancelDuringSubscription(spec)
  }

  @Test(arguments: OperatorSpec.ofKit.filter { !$0.traits.contains(.buffers) }, OperatorContract.End.allCases)
  func `Nothing is left in memory`(_ spec: OperatorSpec, _ end: OperatorContract.End) {
    OperatorContract.leavesNothingInMemory(spec, after: end)
  }

  @Test(arguments: OperatorSpec.ofKit)
  func `Ten thousand values leave a small stack as it was`(_ spec: OperatorSpec) {
    OperatorContract.leavesStackAsItWas(spec)
  }

  @Test(arguments: OperatorSpec.ofKit)
  func `Other threads may request and cancel at any time`(_ spec: OperatorSpec) {
    OperatorContract.letsOtherThreadsActDuringValue(spec)
    OperatorContract.survivesRaces(spec)
  }

  @Test(arguments: OperatorSpec.ofKit + OperatorSpec.ofKitDelaying)
  func `Beside every kind of operator they deliver the same, however they are asked`(_ spec: OperatorSpec) {
    for other in OperatorSpec.combinesKinds {
      let faults = PairRun.check(spec, other) + PairRun.check(other, spec)
      #expect(faults.isEmpty)
    }
  }

  @Test(arguments: OperatorSpec.ofKit + OperatorSpec.ofKitDelaying)
  func `The verification kit finds nothing`(_ spec: OperatorSpec) async {
    let report = await spec.verification.report()
    #expect(report.failures.isEmpty, "\(report.broken.map(\.description).joined(separator: "\n"))")
    #expect(report.unusedWaivers.isEmpty)
  }

  @Test func `The verification kit finds nothing in a source`() async {
    let report = await PublisherVerification("CountStage").finite { count in
      Publishers.source { CountStage<Never>(end: count) }
    }.report()
    #expect(report.failures.isEmpty, "\(report.broken.map(\.description).joined(separator: "\n"))")
  }
}
