// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct OperatorPairTests {
  @Test(arguments: OperatorSpec.paired)
  func `Behind every operator every other delivers the same, however it is asked`(_ first: OperatorSpec) {
    for second in OperatorSpec.paired.sampled(oneIn: 7, for: first.name) {
      for fault in PairRun.check(first, second) { Issue.record("\(fault)") }
    }
  }
}
