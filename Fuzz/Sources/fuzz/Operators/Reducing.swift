// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock

/// A value from one that cannot exist.
private func absurd(_ never: Never) -> Item {}

extension OperatorRow {
  static let reducing: [OperatorRow] = [
    .init("collect", [], .faithful, swift: "{0}\n.collect().flatMap(\\.publisher)") {
      $0[0].collect().flatMap { $0.publisher.setFailureType(to: Fault.self) }
    },
    .init("collect(count)", [.count(1...5)], .ordered, swift: "{0}\n.collect(#0).map { $0[0] }") {
      $0[0].collect($0.numbers[0]).map { $0[0] }
    },
    .init("count", [], .ordered, swift: "{0}\n.count().map { _ in item }") { $0[0].count().map { Item.loose($0) } },
    .init("reduce", [], .ordered, swift: "{0}\n.reduce(item) { $1 }") { $0[0].reduce(Item.loose(0)) { $1 } },
    .init(throwing: "tryReduce", [], .ordered, swift: "{0}\n.tryReduce(item) { $1 }") {
      $0[0].tryReduce(Item.loose(0)) { $1 }
    },
    .init("min", [], .ordered, swift: "{0}\n.min { $0.number < $1.number }") { $0[0].min { $0.number < $1.number } },
    .init("max", [], .ordered, swift: "{0}\n.max { $0.number < $1.number }") { $0[0].max { $0.number < $1.number } },
    .init(throwing: "tryMin", [], .ordered, swift: "{0}\n.tryMin { $0.number < $1.number }") {
      $0[0].tryMin { $0.number < $1.number }
    },
    .init(throwing: "tryMax", [], .ordered, swift: "{0}\n.tryMax { $0.number < $1.number }") {
      $0[0].tryMax { $0.number < $1.number }
    },
    .init("ignoreOutput", [], .ordered, swift: "{0}\n.ignoreOutput().map { _ in item }") {
      $0[0].ignoreOutput().map(absurd)
    },
  ]

  static let matching: [OperatorRow] = [
    .init("contains(where:)", [.count(2...20)], .ordered, swift: "{0}\n.contains { $0.number == #0 }.map { _ in item }")
    { b in
      let number = b.numbers[0]
      return b[0].contains { $0.number == number }.map { _ in Item.loose(0) }
    },
    .init("contains", [.count(2...20)], .ordered, swift: "{0}\n.map(\\.number).contains(#0).map { _ in item }") {
      $0[0].map(\.number).contains($0.numbers[0]).map { _ in Item.loose(0) }
    },
    .init(
      throwing: "tryContains(where:)", [.count(2...20)], .ordered,
      swift: "{0}\n.tryContains { $0.number == #0 }.map { _ in item }"
    ) { b in
      let number = b.numbers[0]
      return b[0].tryContains { $0.number == number }.map { _ in Item.loose(0) }
    },
    .init("allSatisfy", [.count(2...20)], .ordered, swift: "{0}\n.allSatisfy { $0.number < #0 }.map { _ in item }") {
      b in
      let number = b.numbers[0]
      return b[0].allSatisfy { $0.number < number }.map { _ in Item.loose(0) }
    },
    .init(
      throwing: "tryAllSatisfy", [.count(2...20)], .ordered,
      swift: "{0}\n.tryAllSatisfy { $0.number < #0 }.map { _ in item }"
    ) { b in
      let number = b.numbers[0]
      return b[0].tryAllSatisfy { $0.number < number }.map { _ in Item.loose(0) }
    },
  ]
}
