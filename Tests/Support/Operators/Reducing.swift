// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore

extension OperatorSpec {
  public static let reducing: [OperatorSpec] = [
    .init("reduce", .collecting(CollectedResult("16", empty: "10")), shown: "Reduce", requests: .more) {
      $0.reduce(10, +)
    },
    .init(
      "tryReduce", .collecting(CollectedResult("16", empty: "10")), shown: "TryReduce", requests: .more,
      traits: [.throwing]
    ) { upstream in
      upstream.tryReduce(10) {
        try upstream.check($1)
        return $0 + $1
      }
    },
    .init(
      "collect", .collecting(CollectedResult("[2, 3, 1]", empty: "[]")), shown: "Collect", children: ["count"],
      requests: .more, number: \.count
    ) { $0.collect() },
    .init("collect(3)", requests: .more, number: { $0.reduce(0, +) }) { $0.collect(3) },
    .init("count", .collecting(CollectedResult("3", empty: "0")), shown: "Count", requests: .more) { $0.count() },
    .init("min", .collecting(CollectedResult("1")), shown: "Comparison", requests: .more) { $0.min() },
    .init("max", .collecting(CollectedResult("3")), shown: "Comparison", requests: .more) { $0.max() },
    .init("min(by:)", .collecting(CollectedResult("3")), shown: "Comparison", requests: .more) { $0.min(by: >) },
    .init("max(by:)", .collecting(CollectedResult("1")), shown: "Comparison", requests: .more) { $0.max(by: >) },
    .init(
      "tryMin(by:)", .collecting(CollectedResult("1")), shown: "TryComparison", requests: .more, traits: [.throwing]
    ) {
      upstream in
      upstream.tryMin {
        try upstream.check($0)
        try upstream.check($1)
        return $0 < $1
      }
    },
    .init(
      "tryMax(by:)", .collecting(CollectedResult("3")), shown: "TryComparison", requests: .more, traits: [.throwing]
    ) {
      upstream in
      upstream.tryMax {
        try upstream.check($0)
        try upstream.check($1)
        return $0 < $1
      }
    },
    .init("ignoreOutput", .transparent, shown: "IgnoreOutput", outputs: [], requests: .more, number: number) {
      $0.ignoreOutput()
    },
  ]

  /// A number from a value that cannot exist.
  @Sendable private static func number(from never: Never) -> Int {}
}
