// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

/// The contract of Combine's operators, for operators that Combine does not have, and for sources that stand in for
/// one.
@Suite struct OperatorContractTests {
  private static let all = OperatorSpec.beyond + OperatorSpec.sources

  @Test(arguments: all, [0, 1, 7])
  func `However values are asked for, they are the same`(_ spec: OperatorSpec, _ count: Int) {
    OperatorContract.valuesDoNotDependOnRequests(spec, count: count)
  }

  @Test(arguments: all)
  func `They deliver within demand, and request what is requested`(_ spec: OperatorSpec) {
    OperatorContract.deliversWithinDemand(spec)
    if spec.requests == .whatIsRequested { OperatorContract.requestsWhatIsRequested(spec) }
  }

  @Test(arguments: all)
  func `A cancel during a delivery is the end`(_ spec: OperatorSpec) {
    OperatorContract.endsWithCancelDuringValue(spec)
    OperatorContract.endsWithCancelDuringSubscription(spec)
  }

  @Test(arguments: all.filter { !$0.traits.contains(.buffers) }, OperatorContract.End.allCases)
  func `Nothing is left in memory`(_ spec: OperatorSpec, _ end: OperatorContract.End) {
    OperatorContract.leavesNothingInMemory(spec, after: end)
  }

  @Test(arguments: all)
  func `A subscription and its subscriber show no superclass`(_ spec: OperatorSpec) {
    OperatorContract.showsNoSuperclass(spec)
  }

  @Test(arguments: all)
  func `Ten thousand values leave a small stack as it was`(_ spec: OperatorSpec) {
    OperatorContract.leavesStackAsItWas(spec)
  }

  @Test(arguments: all)
  func `Other threads may request and cancel at any time`(_ spec: OperatorSpec) {
    OperatorContract.letsOtherThreadsActDuringValue(spec)
    OperatorContract.survivesRaces(spec)
  }
}
