// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators
import PenstockOperatorsFoundation

extension OperatorRow {
  /// Sources that threads feed.
  static let subjects: [OperatorRow] = [
    .init("subject", [.subject], .transparent, children: 0...0, swift: "subject#0") {
      $0.parts.sources[$0.numbers[0]].stream
    },
    .init("shared", [.shared], .transparent, children: 0...0, swift: "shared#0") {
      $0.parts.shared($0.numbers[0])?.stream ?? Empty().eraseToAnyPublisher()
    },
  ]

  /// Sources with values of their own.
  static let finite: [OperatorRow] = [
    .init("sequence", [.count(0...5)], .transparent, children: 0...0, swift: "items(#0).publisher") {
      items($0.numbers[0]).publisher.setFailureType(to: Fault.self)
    },
    .init("Just", [], .transparent, children: 0...0, swift: "Just(item).setFailureType(to: Fault.self)") {
      Just($0.item ?? .loose(1)).setFailureType(to: Fault.self)
    },
    .init("Empty", [.count(0...3)], .ordered, children: 0...0, swift: "Empty(completeImmediately: #0 > 0)") {
      Empty<Item, Fault>(completeImmediately: $0.numbers[0] > 0)
    },
    .init("Fail", [], .ordered, children: 0...0, swift: "Fail(error: Fault())") { _ in
      Fail<Item, Fault>(error: Fault())
    },
    .init(
      "failing sequence", [.count(1...4)], .ordered, children: 0...0,
      swift: "items(#0).publisher.append(Fail(error: Fault()))"
    ) {
      items($0.numbers[0]).publisher.setFailureType(to: Fault.self).append(Fail(error: Fault()))
    },
    .init("Optional", [.count(0...1)], .transparent, children: 0...0, swift: "(#0 > 0 ? item : nil).publisher") {
      ($0.numbers[0] > 0 ? Item.loose(1) : nil).publisher.setFailureType(to: Fault.self)
    },
    .init(
      "Result", [.count(0...1)], .ordered, children: 0...0,
      swift: "Result(#0 > 0 ? .success(item) : .failure(Fault())).publisher"
    ) {
      ($0.numbers[0] > 0 ? Result<Item, Fault>.success(.loose(1)) : .failure(Fault())).publisher
    },
    .init(
      "Record", [.count(0...4), .count(0...1)], .ordered, children: 0...0,
      swift: "Record(output: items(#0), completion: #1 > 0 ? .finished : .failure(Fault()))"
    ) {
      Record(output: items($0.numbers[0]), completion: $0.numbers[1] > 0 ? .finished : .failure(Fault()))
    },
    .init("Future", [], .ordered, children: 0...0, swift: "Future { $0(.success(item)) }") { _ in
      Future<Item, Fault> { $0(.success(.loose(1))) }
    },
    .init(
      "Future, later", [.lane, .count(0...3)], .ordered, children: 0...0,
      swift: "Future { promise in @0.schedule { promise(#1 > 0 ? .success(item) : .failure(Fault())) } }"
    ) { b in
      let isFine = b.numbers[1] > 0
      let lane = b.lane(0)
      return Deferred {
        Future<Item, Fault> { promise in
          let promise = Unchecked(promise)
          lane.schedule { promise.value(isFine ? .success(.loose(1)) : .failure(Fault())) }
        }
      }
    },
    .init(
      "Future, task", [], .ordered, children: 0...0, swift: "Future { promise in Task { promise(.success(item)) } }"
    ) { _ in
      Deferred {
        Future<Item, Fault> { promise in
          let promise = Unchecked(promise)
          let ticket = Ticket()
          Task.detached {
            await Task.yield()
            promise.value(.success(.loose(1)))
            ticket.touch()
          }
        }
      }
    },
    .init(
      "timer", [.lane, .count(1...4)], .ordered, children: 0...0,
      swift: "Publishers.timer(scheduler: @0, interval: .milliseconds(1), times: .max(#1))"
    ) {
      Publishers.timer(scheduler: $0.lane(0), interval: .milliseconds(1), times: .max($0.numbers[1]))
        .map { _ in Item.loose(1) }.setFailureType(to: Fault.self)
    },
  ]

  static func items(_ count: Int) -> [Item] { (0..<count).map { Item.loose($0) } }
}
