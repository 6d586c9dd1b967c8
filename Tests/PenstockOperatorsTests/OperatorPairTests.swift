// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct OperatorPairTests {
  @Test(arguments: OperatorSpec.beyond.filter { !$0.traits.contains(.isLong) } + OperatorSpec.beyondDelaying)
  func `Beside every kind of operator it delivers the same, however it is asked`(_ spec: OperatorSpec) {
    for other in OperatorSpec.kinds + OperatorSpec.kindsBeyond + OperatorSpec.beyondDelaying {
      let faults = PairRun.check(spec, other) + PairRun.check(other, spec)
      #expect(faults.isEmpty)
    }
  }
}
