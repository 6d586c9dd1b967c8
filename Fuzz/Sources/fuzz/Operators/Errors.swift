// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators

extension OperatorRow {
  static let errors: [OperatorRow] = [
    .init("replaceError", [], .faithful, swift: "{0}\n.replaceError(with: item).setFailureType(to: Fault.self)") {
      $0[0].replaceError(with: .loose(0)).setFailureType(to: Fault.self)
    },
    .init("catch", [], [], children: 2...2, swift: "{0}\n.catch { _ in {1} }") { b in b[0].catch { _ in b[1] } },
    .init(throwing: "tryCatch", [], [], children: 2...2, swift: "{0}\n.tryCatch { _ in {1} }") { b in
      b[0].tryCatch { _ in b[1] }
    },
    .init("retry", [.count(0...3)], [], swift: "{0}\n.retry(#0)") { $0[0].retry($0.numbers[0]) },
    .init(
      "retry(delay:)", [.count(0...3), .lane], [], swift: "{0}\n.retry(#0, delay: .milliseconds(1), scheduler: @1)"
    ) {
      $0[0].retry($0.numbers[0], delay: .milliseconds(1), scheduler: $0.lane(1))
    },
    .init("retry, policy", [.count(0...3), .lane], [], swift: "{0}\n.retry(.fixed(#0, delay: .zero), scheduler: @1)") {
      $0[0].retry(.fixed($0.numbers[0], delay: .zero), scheduler: $0.lane(1))
    },
    .init(
      "failing map, retry", [.count(1...9), .count(1...2)], [],
      swift: "{0}\n.tryMap { if $0.number % 10 == #0 { throw Fault() }; return $0 }.retry(#1)"
    ) { b in
      let number = b.numbers[0]
      return b[0].tryMap { if $0.number % 10 == number { throw Fault() } else { $0 } }.mapError { _ in Fault() }
        .retry(b.numbers[1])
    },
  ]

  /// Operators with one upstream after the other.
  static let succession: [OperatorRow] = [
    .init("append", [], .ordered, children: 2...2, swift: "{0}\n.append({1})") { $0[0].append($0[1]) },
    .init("prepend", [], .ordered, children: 2...2, swift: "{0}\n.prepend({1})") { $0[0].prepend($0[1]) },
    .init("append(values)", [.count(1...3)], .ordered, swift: "{0}\n.append(items(#0))") {
      $0[0].append(items($0.numbers[0]))
    },
    .init("prepend(values)", [.count(1...3)], .ordered, swift: "{0}\n.prepend(items(#0))") {
      $0[0].prepend(items($0.numbers[0]))
    },
    .init(
      "until, append elsewhere", [.lane], .ordered, children: 3...3,
      swift: "{0}\n.prefix(untilOutputFrom: {1})\n.append({2}\n.receive(on: @0))"
    ) {
      $0[0].prefix(untilOutputFrom: $0[1]).append($0[2].receive(on: $0.lane(0)))
    },
    .init("Deferred", [], .transparent, swift: "Deferred { {0} }") { b in Deferred { b[0] } },
  ]
}
