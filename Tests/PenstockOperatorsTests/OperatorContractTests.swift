// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

/// The contract of Combine's operators, for those that Combine does not have.
@Suite struct OperatorContractTests {
  @Test(arguments: OperatorSpec.beyond, [0, 1, 7])
  func `However values are asked for, they are the same`(_ spec: OperatorSpec, _ count: Int) {
    OperatorContract.valuesDoNotDependOnRequests(spec, count: count)
  }

  @Test(arguments: OperatorSpec.beyond)
  func `They deliver within demand, and request what is requested`(_ spec: OperatorSpec) {
    OperatorContract.deliversWithinDemand(spec)
    if spec.requests == .whatIsRequested { OperatorContract.requestsWhatIsRequested(spec) }
  }

  @Test(arguments: OperatorSpec.beyond)
  func `A cancel during a delivery is the end`(_ spec: OperatorSpec) {
    OperatorContract.endsWithCancelDuringValue(spec)
    OperatorContract.endsWithCancelDuringSubscription(spec)
  }

  @Test(arguments: OperatorSpec.beyond.filter { !$0.traits.contains(.buffers) }, OperatorContract.End.allCases)
  func `Nothing is left in memory`(_ spec: OperatorSpec, _ end: OperatorContract.End) {
    OperatorContract.leavesNothingInMemory(spec, after: end)
  }

  @Test(arguments: OperatorSpec.beyond)
  func `A hundred thousand values leave the stack as it was`(_ spec: OperatorSpec) {
    OperatorContract.leavesStackAsItWas(spec)
  }

  @Test(arguments: OperatorSpec.beyond)
  func `Other threads may request and cancel at any time`(_ spec: OperatorSpec) {
    OperatorContract.letsOtherThreadsActDuringValue(spec)
    OperatorContract.survivesRaces(spec)
  }
}
