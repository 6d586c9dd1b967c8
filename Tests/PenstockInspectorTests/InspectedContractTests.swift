// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockInspector
import TestSupport
import Testing

extension InspectorTests {
  @Suite struct InspectedContractTests {
    private static let specs = [
      OperatorSpec("inspected") { $0.inspected("numbers").eraseToAnyPublisher() },
      OperatorSpec("inspected, describing") { $0.inspected("numbers") { String($0) }.eraseToAnyPublisher() },
    ]

    // All parts in one process: the kit makes copies of the process, which the other tests do not need.
    @Test func `It keeps the contract of every operator`() async {
      await #expect(processExitsWith: .success) {
        for spec in InspectedContractTests.specs {
          for part in OperatorContract.Part.allCases { part.check(spec) }
        }
      }
    }
  }
}
