// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct OperatorPairTests {
  private static let paired = OperatorSpec.beyond + OperatorSpec.beyondDelaying

  @Test(arguments: paired + OperatorSpec.beyondShapes + OperatorSpec.beyondShapesDelaying)
  func `Beside every kind of operator it delivers the same, however it is asked`(_ spec: OperatorSpec) {
    for other in OperatorSpec.kinds + Self.paired {
      let faults = PairRun.check(spec, other) + PairRun.check(other, spec)
      #expect(faults.isEmpty)
    }
  }
}
