// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct OperatorPairTests {
  @Test(arguments: OperatorSpec.beyond.filter { !$0.traits.contains(.isLong) } + OperatorSpec.beyondDelaying)
  func `Beside every kind of operator it delivers the same, however it is asked`(_ spec: OperatorSpec) {
    for other in OperatorSpec.kinds.sampled(oneIn: 5, for: spec.name) { check(spec, other) }
  }

  @Test(arguments: OperatorSpec.kindsBeyond + OperatorSpec.beyondDelaying)
  func `Beside every kind of those that Combine lacks, too`(_ spec: OperatorSpec) {
    let others = OperatorSpec.kindsBeyond + OperatorSpec.beyondDelaying
    for other in others.sampled(oneIn: 7, for: spec.name) { check(spec, other) }
  }

  private func check(_ spec: OperatorSpec, _ other: OperatorSpec) {
    let faults = PairRun.check(spec, other) + PairRun.check(other, spec)
    #expect(faults.isEmpty)
  }
}
