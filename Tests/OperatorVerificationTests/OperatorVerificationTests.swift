// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

/// Every operator that Combine does not have, verified by the product.
@Suite struct OperatorVerificationTests {
  @Test(arguments: OperatorSpec.beyond + OperatorSpec.beyondDelaying + OperatorSpec.sources)
  func `Every operator keeps the rules`(_ spec: OperatorSpec) async {
    await judge(spec.verification)
  }

  /// Operators that have no line of their own, with the reason.
  private static let otherwise: [String: String] = [
    "assign": "makes a subscriber", "pausableSink": "makes a subscriber",
    "dematerialize": "stands behind `materialize` in one line", "not": "a `map`", "partition": "two `filter`s",
    "setOutputType": "a `map` of values that cannot exist",
  ]

  @Test func `Every operator is in the roster`() throws {
    let all = OperatorSpec.beyond + OperatorSpec.beyondDelaying + OperatorSpec.all
    let lines = Set(all.map { $0.name.prefix { $0.isLetter } }.map(String.init))
    let missing = try PublicNames.operators(in: "PenstockOperators").subtracting(lines)
    #expect(missing.subtracting(Self.otherwise.keys).sorted() == [])
  }
}
