// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

/// Every operator of Combine, verified by the product.
@Suite struct OperatorRosterTests {
  @Test(arguments: OperatorSpec.all + OperatorSpec.delaying)
  func `Every operator keeps the rules`(_ spec: OperatorSpec) async {
    await judge(spec.verification)
  }
}
