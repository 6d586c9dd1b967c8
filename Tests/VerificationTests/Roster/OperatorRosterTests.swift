// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

/// Every operator of Combine's, verified by the product.
@Suite struct OperatorRosterTests {
  @Test(arguments: OperatorSpec.all + OperatorSpec.delaying)
  func `Every operator keeps the rules`(_ spec: OperatorSpec) {
    let report = spec.verification.report()
    #expect(report.failures.isEmpty, "\(report.broken.map(\.description).joined(separator: "\n"))")
    #expect(report.unusedWaivers.isEmpty)
  }
}
