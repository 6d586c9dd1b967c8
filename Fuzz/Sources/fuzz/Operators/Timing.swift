// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock

extension OperatorRow {
  static let timing: [OperatorRow] = [
    .init("receive(on:)", [.lane], .faithful, swift: "{0}\n.receive(on: @0)") { $0[0].receive(on: $0.lane(0)) },
    .init("subscribe(on:)", [.lane], .ordered, swift: "{0}\n.subscribe(on: @0)") { $0[0].subscribe(on: $0.lane(0)) },
    .init("delay", [.lane, .count(0...2)], .faithful, swift: "{0}\n.delay(for: .milliseconds(#1), scheduler: @0)") {
      $0[0].delay(for: .milliseconds($0.numbers[1]), scheduler: $0.lane(0))
    },
    .init("debounce", [.lane], .ordered, swift: "{0}\n.debounce(for: .milliseconds(1), scheduler: @0)") {
      $0[0].debounce(for: .milliseconds(1), scheduler: $0.lane(0))
    },
    .init(
      "throttle", [.lane, .count(0...1)], .ordered,
      swift: "{0}\n.throttle(for: .milliseconds(1), scheduler: @0, latest: #1 > 0)"
    ) {
      $0[0].throttle(for: .milliseconds(1), scheduler: $0.lane(0), latest: $0.numbers[1] > 0)
    },
    .init(
      "timeout", [.lane, .count(1...5), .count(0...1)], .ordered,
      swift: "{0}\n.timeout(.milliseconds(#1), scheduler: @0, customError: #2 > 0 ? { Fault() } : nil)"
    ) {
      $0[0].timeout(
        .milliseconds($0.numbers[1]), scheduler: $0.lane(0), customError: $0.numbers[2] > 0 ? { Fault() } : nil)
    },
    .init("collect(byTime)", [.lane], .ordered, swift: "{0}\n.collect(.byTime(@0, .milliseconds(2))).map { $0[0] }") {
      $0[0].collect(.byTime($0.lane(0), .milliseconds(2))).map { $0[0] }
    },
    .init(
      "collect(byTimeOrCount)", [.lane, .count(1...4)], .ordered,
      swift: "{0}\n.collect(.byTimeOrCount(@0, .milliseconds(2), #1)).map { $0[0] }"
    ) {
      $0[0].collect(.byTimeOrCount($0.lane(0), .milliseconds(2), $0.numbers[1])).map { $0[0] }
    },
    .init("measureInterval", [.lane], .ordered, swift: "{0}\n.measureInterval(using: @0).map { _ in item }") {
      $0[0].measureInterval(using: $0.lane(0)).map { _ in Item.loose(0) }
    },
    .init(
      "buffer(.keepFull)", [.count(1...20), .count(0...2)], .ordered,
      swift:
        "{0}\n.buffer(size: #0, prefetch: .keepFull, whenFull: [.dropNewest, .dropOldest, .customError { Fault() }][#1])"
    ) {
      $0[0].buffer(size: $0.numbers[0], prefetch: .keepFull, whenFull: whenFull($0.numbers[1]))
    },
    .init(
      "buffer(.byRequest)", [.count(1...20), .count(0...2)], .ordered,
      swift:
        "{0}\n.buffer(size: #0, prefetch: .byRequest, whenFull: [.dropNewest, .dropOldest, .customError { Fault() }][#1])"
    ) {
      $0[0].buffer(size: $0.numbers[0], prefetch: .byRequest, whenFull: whenFull($0.numbers[1]))
    },
    .init(
      "buffer, unbounded", [], .faithful, swift: "{0}\n.buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest)"
    ) {
      $0[0].buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest)
    },
  ]

  private static func whenFull(_ number: Int) -> Publishers.BufferingStrategy<Fault> {
    switch number {
    case 0: .dropNewest
    case 1: .dropOldest
    default: .customError { Fault() }
    }
  }
}
