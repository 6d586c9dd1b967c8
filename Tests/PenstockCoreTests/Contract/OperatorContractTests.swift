// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct OperatorContractTests {
  @Test(arguments: OperatorSpec.cold, [0, 1, 7])
  func `However values are asked for, they are the same`(_ spec: OperatorSpec, _ count: Int) {
    OperatorContract.valuesDoNotDependOnRequests(spec, count: count)
  }

  @Test(arguments: OperatorSpec.cold)
  func `Nothing is delivered that was not asked for`(_ spec: OperatorSpec) {
    OperatorContract.deliversWithinDemand(spec)
  }

  @Test(arguments: OperatorSpec.cold.filter { $0.requests == .whatIsRequested })
  func `Upstream is asked for no more than downstream asks, plus what is dropped`(_ spec: OperatorSpec) {
    OperatorContract.requestsWhatIsRequested(spec)
  }

  @Test(arguments: OperatorSpec.unbuffered)
  func `A cancel in the middle of a value is the end`(_ spec: OperatorSpec) {
    OperatorContract.endsWithCancelDuringValue(spec)
  }

  @Test(arguments: OperatorSpec.unbuffered)
  func `A cancel during the introduction is the end`(_ spec: OperatorSpec) {
    OperatorContract.endsWithCancelDuringSubscription(spec)
  }

  @Test(arguments: OperatorSpec.unbuffered, OperatorContract.End.allCases)
  func `Nothing is left in memory`(_ spec: OperatorSpec, _ end: OperatorContract.End) {
    OperatorContract.leavesNothingInMemory(spec, after: end)
  }

  @Test(arguments: OperatorSpec.cold)
  func `Ten thousand values, asked for one by one, leave a small stack as it was`(_ spec: OperatorSpec) {
    OperatorContract.leavesStackAsItWas(spec)
  }

  @Test(arguments: OperatorSpec.unbuffered)
  func `During a value's delivery another thread may request and cancel`(_ spec: OperatorSpec) {
    OperatorContract.letsOtherThreadsActDuringValue(spec)
  }

  @Test(arguments: OperatorSpec.unbuffered)
  func `Requests and a cancel race with values and the end`(_ spec: OperatorSpec) {
    OperatorContract.survivesRaces(spec)
  }
}
