// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore

extension OperatorSpec {
  public static let filtering: [OperatorSpec] = [
    .init("filter", .transparent, shown: "Filter") { $0.filter { !$0.isMultiple(of: 4) } },
    .init("compactMap", .transparent, shown: "CompactMap") { $0.compactMap { $0.isMultiple(of: 4) ? nil : $0 } },
    .init(
      "removeDuplicates", .managed(.filterLike), shown: "RemoveDuplicates", children: ["downstream", "last"]
    ) { $0.removeDuplicates { $1.isMultiple(of: 4) } },
    .init("replaceEmpty", .substituting(replaced: .finished), shown: "ReplaceEmpty") { $0.replaceEmpty(with: -1) },
    .init("tryFilter", .managed(.filterLike), shown: "TryFilter", children: ["downstream"], traits: [.throwing]) {
      upstream in
      upstream.tryFilter {
        try upstream.check($0)
        return !$0.isMultiple(of: 4)
      }
    },
    .init(
      "tryCompactMap", .managed(.filterLike), shown: "TryCompactMap", children: ["downstream"], traits: [.throwing]
    ) { upstream in
      upstream.tryCompactMap {
        try upstream.check($0)
        return $0.isMultiple(of: 4) ? nil : $0
      }
    },
    .init(
      "tryRemoveDuplicates", .managed(.filterLike), shown: "TryRemoveDuplicates", children: ["downstream", "last"],
      traits: [.throwing]
    ) { upstream in
      upstream.tryRemoveDuplicates {
        try upstream.check($1)
        return $1.isMultiple(of: 4)
      }
    },
  ]
}
