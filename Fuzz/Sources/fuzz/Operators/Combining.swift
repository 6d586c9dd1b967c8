// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock

extension OperatorRow {
  static let flattening: [OperatorRow] = [
    .init("flatMap", [], children: 2...3, swift: "{0}\n.prefix(12).flatMap { item in [{…}] }") { b in
      b[0].prefix(12).flatMap { b.inner($0) }
    },
    .init(
      "flatMap(maxPublishers:)", [.count(1...3)], children: 2...3,
      swift: "{0}\n.prefix(12).flatMap(maxPublishers: .max(#0)) { item in [{…}] }"
    ) { b in
      b[0].prefix(12).flatMap(maxPublishers: .max(b.numbers[0])) { b.inner($0) }
    },
    .init("flatMap, Just", [], .faithful, swift: "{0}\n.flatMap { Just($0) }") {
      $0[0].flatMap { Just($0).setFailureType(to: Fault.self) }
    },
    .init("map, switchToLatest", [], children: 2...3, swift: "{0}\n.prefix(12).map { item in [{…}] }.switchToLatest()")
    { b in
      b[0].prefix(12).map { b.inner($0) }.switchToLatest()
    },
  ]

  static let combining: [OperatorRow] = [
    .init("merge", [], .transparent, children: 2...2, swift: "{0}\n.merge(with: {1})") { $0[0].merge(with: $0[1]) },
    .init("Merge3", [], .transparent, children: 3...3, swift: "{0}\n.merge(with: {…})") {
      $0[0].merge(with: $0[1], $0[2])
    },
    .init("Merge4", [], .transparent, children: 4...4, swift: "{0}\n.merge(with: {…})") {
      $0[0].merge(with: $0[1], $0[2], $0[3])
    },
    .init("MergeMany", [], .transparent, children: 1...4, swift: "Publishers.MergeMany({0}, {…})") { b in
      Publishers.MergeMany(b.node.children.indices.map { b[$0] })
    },
    .init("zip", [], .presenting, children: 2...2, swift: "{0}\n.zip({1}) { a, _ in a }") {
      $0[0].zip($0[1]) { a, _ in a }
    },
    .init("Zip3", [], .presenting, children: 3...3, swift: "{0}\n.zip({…}) { a, _, _ in a }") {
      $0[0].zip($0[1], $0[2]) { a, _, _ in a }
    },
    .init("Zip4", [], .presenting, children: 4...4, swift: "{0}\n.zip({…}) { a, _, _, _ in a }") {
      $0[0].zip($0[1], $0[2], $0[3]) { a, _, _, _ in a }
    },
    .init("combineLatest", [], .presenting, children: 2...2, swift: "{0}\n.combineLatest({1}) { a, _ in a }") {
      $0[0].combineLatest($0[1]) { a, _ in a }
    },
    .init("CombineLatest3", [], .presenting, children: 3...3, swift: "{0}\n.combineLatest({…}) { a, _, _ in a }") {
      $0[0].combineLatest($0[1], $0[2]) { a, _, _ in a }
    },
    .init("CombineLatest4", [], .presenting, children: 4...4, swift: "{0}\n.combineLatest({…}) { a, _, _, _ in a }") {
      $0[0].combineLatest($0[1], $0[2], $0[3]) { a, _, _, _ in a }
    },
  ]
}
