// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore

extension OperatorSpec {
  private static func matching<P: Publisher & SendableMetatype>(
    _ name: String, finding result: Bool, shown: String, traits: Set<Trait> = [],
    _ build: @escaping @Sendable (Upstream<TestError>) -> P
  ) -> OperatorSpec where P.Output == Bool {
    OperatorSpec(
      name, .collecting(CollectedResult("\(!result)", empty: "\(!result)", decision: (7, "\(result)"))), shown: shown,
      requests: .more, traits: traits, number: { $0 ? 1 : 0 }, build)
  }

  public static let matching: [OperatorSpec] = [
    matching("contains", finding: true, shown: "Contains") { $0.contains(7) },
    matching("contains(where:)", finding: true, shown: "ContainsWhere") { $0.contains { $0 > 5 } },
    matching("tryContains(where:)", finding: true, shown: "TryContainsWhere", traits: [.throwing]) { upstream in
      upstream.tryContains {
        try upstream.check($0)
        return $0 > 5
      }
    },
    matching("allSatisfy", finding: false, shown: "AllSatisfy") { $0.allSatisfy { $0 < 5 } },
    matching("tryAllSatisfy", finding: false, shown: "TryAllSatisfy", traits: [.throwing]) { upstream in
      upstream.tryAllSatisfy {
        try upstream.check($0)
        return $0 < 5
      }
    },
  ]
}
