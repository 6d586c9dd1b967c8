// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators

extension OperatorRow {
  static let mapping: [OperatorRow] = [
    .init("map", [], .transparent, swift: "{0}\n.map { $0 }") { b in
      let tracer = Tracer()
      return b[0].map { item in
        tracer.touch()
        return item
      }
    },
    .init("map, key path", [], .transparent, swift: "{0}\n.map(\\.self)") { $0[0].map(\.self) },
    .init("map, filter, compactMap", [], .transparent, swift: "{0}\n.map { $0 }.filter { _ in true }.compactMap { $0 }")
    {
      $0[0].map { $0 }.filter { $0.number >= 0 }.compactMap { $0 as Item? }
    },
    .init("mapError", [], .transparent, swift: "{0}\n.mapError { $0 }") { $0[0].mapError { $0 } },
    .init("replaceNil", [], .transparent, swift: "{0}\n.map { $0 as Item? }.replaceNil(with: item)") {
      $0[0].map { $0 as Item? }.replaceNil(with: .loose(0))
    },
    .init("scan", [], .transparent, swift: "{0}\n.scan(nil) { $1 }") { $0[0].scan(Item.loose(0)) { $1 } },
    .init(
      throwing: "tryMap", [.count(0...30)], swift: "{0}\n.tryMap { if $0.number == #0 { throw Fault() }; return $0 }"
    ) { b in
      let number = b.numbers[0]
      return b[0].tryMap { if $0.number == number { throw Fault() } else { $0 } }
    },
    .init(
      throwing: "tryScan", [.count(0...30)],
      swift: "{0}\n.tryScan(item) { if $1.number == #0 { throw Fault() }; return $1 }"
    ) { b in
      let number = b.numbers[0]
      return b[0].tryScan(.loose(0)) { if $1.number == number { throw Fault() } else { $1 } }
    },
    .init("optional, unwrap", [], .transparent, swift: "{0}\n.map { $0 as Item? }.unwrap()") {
      $0[0].map { $0 as Item? }.unwrap()
    },
  ]

  static let filtering: [OperatorRow] = [
    .init("filter", [.count(2...5)], .ordered, swift: "{0}\n.filter { $0.number % #0 != 0 }") { b in
      let divisor = b.numbers[0]
      return b[0].filter { $0.number % divisor != 0 }
    },
    .init("compactMap", [.count(2...5)], .ordered, swift: "{0}\n.compactMap { $0.number % #0 == 0 ? nil : $0 }") { b in
      let divisor = b.numbers[0]
      return b[0].compactMap { $0.number % divisor == 0 ? nil : $0 }
    },
    .init(
      "removeDuplicates", [.count(1...3)], .ordered,
      swift: "{0}\n.removeDuplicates { $0.number / #0 == $1.number / #0 }"
    ) { b in
      let divisor = b.numbers[0]
      return b[0].removeDuplicates { $0.number / divisor == $1.number / divisor }
    },
    .init("replaceEmpty", [], .transparent, swift: "{0}\n.replaceEmpty(with: item)") {
      $0[0].replaceEmpty(with: .loose(0))
    },
    .init(
      throwing: "tryFilter", [.count(1...30)], .ordered,
      swift: "{0}\n.tryFilter { if $0.number == #0 { throw Fault() }; return true }"
    ) { b in
      let number = b.numbers[0]
      return b[0].tryFilter { if $0.number == number { throw Fault() } else { true } }
    },
    .init(
      throwing: "tryCompactMap", [.count(1...30)], .ordered,
      swift: "{0}\n.tryCompactMap { if $0.number == #0 { throw Fault() }; return $0 }"
    ) { b in
      let number = b.numbers[0]
      return b[0].tryCompactMap { if $0.number == number { throw Fault() } else { $0 } }
    },
    .init(
      throwing: "tryRemoveDuplicates", [.count(1...30)], .ordered,
      swift: "{0}\n.tryRemoveDuplicates { if $1.number == #0 { throw Fault() }; return false }"
    ) { b in
      let number = b.numbers[0]
      return b[0].tryRemoveDuplicates { if $1.number == number { throw Fault() } else { $0 === $1 } }
    },
  ]

  static let prefixing: [OperatorRow] = [
    .init("dropFirst", [.count(0...4)], .ordered, swift: "{0}\n.dropFirst(#0)") { $0[0].dropFirst($0.numbers[0]) },
    .init("drop(while:)", [.count(0...9)], .ordered, swift: "{0}\n.drop { $0.number < #0 }") { b in
      let number = b.numbers[0]
      return b[0].drop { $0.number < number }
    },
    .init(throwing: "tryDrop(while:)", [.count(0...9)], .ordered, swift: "{0}\n.tryDrop { $0.number < #0 }") { b in
      let number = b.numbers[0]
      return b[0].tryDrop { $0.number < number }
    },
    .init("prefix", [.count(0...12)], .ordered, swift: "{0}\n.prefix(#0)") { $0[0].prefix($0.numbers[0]) },
    .init("prefix(while:)", [.count(1...20)], .ordered, swift: "{0}\n.prefix { $0.number < #0 }") { b in
      let number = b.numbers[0]
      return b[0].prefix { $0.number < number }
    },
    .init(throwing: "tryPrefix(while:)", [.count(1...20)], .ordered, swift: "{0}\n.tryPrefix { $0.number < #0 }") { b in
      let number = b.numbers[0]
      return b[0].tryPrefix { $0.number < number }
    },
    .init("first", [], .ordered, swift: "{0}\n.first()") { $0[0].first() },
    .init("first(where:)", [.count(0...9)], .ordered, swift: "{0}\n.first { $0.number >= #0 }") { b in
      let number = b.numbers[0]
      return b[0].first { $0.number >= number }
    },
    .init(throwing: "tryFirst(where:)", [.count(0...9)], .ordered, swift: "{0}\n.tryFirst { $0.number >= #0 }") { b in
      let number = b.numbers[0]
      return b[0].tryFirst { $0.number >= number }
    },
    .init("last", [], .ordered, swift: "{0}\n.last()") { $0[0].last() },
    .init("last(where:)", [.count(2...5)], .ordered, swift: "{0}\n.last { $0.number % #0 == 0 }") { b in
      let number = b.numbers[0]
      return b[0].last { $0.number % number == 0 }
    },
    .init(throwing: "tryLast(where:)", [.count(2...5)], .ordered, swift: "{0}\n.tryLast { $0.number % #0 == 0 }") { b in
      let number = b.numbers[0]
      return b[0].tryLast { $0.number % number == 0 }
    },
    .init("output(at:)", [.count(0...5)], .ordered, swift: "{0}\n.output(at: #0)") { $0[0].output(at: $0.numbers[0]) },
    .init("output(in:)", [.count(0...3), .count(0...9)], .ordered, swift: "{0}\n.output(in: #0..<#0 + #1)") {
      $0[0].output(in: $0.numbers[0]..<$0.numbers[0] + $0.numbers[1])
    },
    .init("prefix(untilOutputFrom:)", [], .ordered, children: 2...2, swift: "{0}\n.prefix(untilOutputFrom: {1})") {
      $0[0].prefix(untilOutputFrom: $0[1])
    },
    .init("drop(untilOutputFrom:)", [], .ordered, children: 2...2, swift: "{0}\n.drop(untilOutputFrom: {1})") {
      $0[0].drop(untilOutputFrom: $0[1])
    },
  ]
}
