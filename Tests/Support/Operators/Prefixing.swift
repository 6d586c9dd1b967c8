// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore

extension OperatorSpec {
  public static let prefixing: [OperatorSpec] = [
    .init("dropFirst", requests: .more) { $0.dropFirst(2) },
    .init("drop(while:)", .managed(.dropping), shown: "DropWhile") { $0.drop { $0 < 2 } },
    .init("tryDrop(while:)", .managed(.dropping), shown: "TryDropWhile", traits: [.throwing]) { upstream in
      upstream.tryDrop {
        try upstream.check($0)
        return $0 < 2
      }
    },
    .init("prefix", .managed(.unchecked), shown: "Output") { $0.prefix(1_000_000) },
    .init("output(in:)") { $0.output(in: 1...) },
    .init("prefix(while:)", .managed(.filterLike), shown: "PrefixWhile", children: ["downstream"]) {
      $0.prefix { $0 < 1_000_000_000 }
    },
    .init(
      "tryPrefix(while:)", .managed(.filterLike), shown: "TryPrefixWhile", children: ["downstream"], traits: [.throwing]
    ) {
      upstream in
      upstream.tryPrefix {
        try upstream.check($0)
        return $0 < 1_000_000_000
      }
    },
    .init(
      "first", .collecting(CollectedResult(nil, of: [], decision: (7, "7"))), shown: "First", requests: .more
    ) { $0.first() },
    .init(
      "first(where:)", .collecting(CollectedResult(nil, decision: (7, "7"))), shown: "TryFirst", requests: .more
    ) { $0.first { $0 > 5 } },
    .init(
      "tryFirst(where:)", .collecting(CollectedResult(nil, decision: (7, "7"))), shown: "TryFirstWhere",
      requests: .more, traits: [.throwing]
    ) { upstream in
      upstream.tryFirst {
        try upstream.check($0)
        return $0 > 5
      }
    },
    .init("last", .collecting(CollectedResult("1")), shown: "Last", requests: .more) { $0.last() },
    .init("last(where:)", .collecting(CollectedResult("3")), shown: "LastWhere", requests: .more) {
      $0.last { $0 > 1 && $0 < 4 }
    },
    .init(
      "tryLast(where:)", .collecting(CollectedResult("3")), shown: "TryLastWhere", requests: .more, traits: [.throwing]
    ) { upstream in
      upstream.tryLast {
        try upstream.check($0)
        return $0 > 1 && $0 < 4
      }
    },
    .init("prefix(untilOutputFrom:)") { $0.prefix(untilOutputFrom: Empty<Int, Never>(completeImmediately: false)) },
    .init("drop(untilOutputFrom:)") { $0.drop(untilOutputFrom: Just(1).setFailureType(to: TestError.self)) },
  ]
}
