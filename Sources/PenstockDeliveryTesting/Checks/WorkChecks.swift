// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockCore
import PenstockTesting

private struct Busy: Error {}

extension DeliveryEngine {
  func sharesWork() async throws {
    let recordings = (1...2).map { _ in deliveries(1...4).record(demand: .none, atEnd: []) }
    try await publish(1...40)
    var all: [String] = []
    for _ in 1...10 {
      for recording in recordings {
        recording.request(.max(2))
        for item in try await recording.next(2, within: Patience.cap) {
          all.append(text(of: item))
          try await item.ack()
        }
      }
    }
    try expectEqual(all.compactMap(Int.init).sorted(), Array(1...40), "what both have got")
    try await expectEmpty()
    for recording in recordings { try end(recording) }
  }

  func givesBackOnCancel() async throws {
    try await publish(1...6)
    let first = deliveries(batch: 1...4, refillAt: 0).record(demand: .max(1), atEnd: [])
    let item = try await first.next(within: Patience.cap)[0]
    try await expectUnsettled(4)
    try end(first)
    try await expectUnsettled(1)
    let second = deliveries().record(demand: .max(5), atEnd: [])
    let others = try await second.next(5, within: Patience.cap)
    try expectEqual(texts(others).compactMap(Int.init).sorted(), Array(2...6), "what another subscriber gets")
    // Work has not begun for any of them.
    try expectEqual(others.map(\.attempt), Array(repeating: 1, count: 5), "their attempts")
    for item in others + [item] { try await item.ack() }
    try await expectEmpty()
    try end(second)
  }

  func acknowledgesWork() async throws {
    try await publish(1...20)
    let results = deliveries().acknowledged(onFailure: { _, _ in .nak() }) { [self] delivery in
      // A text that is no number is a finding as well, and must not stop the process.
      let number = Int(text(of: delivery)) ?? 0
      if number.isMultiple(of: 5), delivery.attempt == 1 { throw Busy() }
      return number * delivery.attempt
    }.record(atEnd: [])
    let numbers = try await results.next(20, within: Patience.cap)
    try expectEqual(
      numbers.sorted(), (1...20).map { $0.isMultiple(of: 5) ? 2 * $0 : $0 }.sorted(), "the results")
    try await expectEmpty()
    try end(results)
  }

  func givesBackCancelledWork() async throws {
    try await publish(1...1)
    let hasBegun = PassthroughSubject<Void, Never>()
    let begun = hasBegun.first().record(atEnd: [])
    let results = deliveries().acknowledged { _ in
      hasBegun.send()
      // Nothing comes until the cancel.
      for await _ in Empty<Never, Never>(completeImmediately: false).values {}
      try Task.checkCancellation()
    }.record(atEnd: [])
    _ = try await begun.next(within: Patience.cap)
    try end(results)
    let other = deliveries().record(demand: .max(1), atEnd: [])
    let item = try await other.next(within: Patience.cap)[0]
    try expectEqual([text(of: item), "\(item.attempt)"], ["1", "2"], "what comes again")
    let settling = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await item.ack()
    }
    try await settling.value
    try await expectEmpty()
    try end(other)
  }

  func setsPoisonAside() async throws {
    try await publish(["tea", "poison", "coffee"], headers: [:])
    let aside = PassthroughSubject<String, Never>()
    let recording = aside.record(atEnd: [])
    let served = deliveries()
      .deadLetter(after: 3) { [self] delivery in
        aside.send("\(text(of: delivery)) \(delivery.attempt)")
      }
      .acknowledged(onFailure: { _, _ in .nak() }) { [self] delivery in
        if text(of: delivery) == "poison" { throw Busy() }
        return text(of: delivery)
      }.record(atEnd: [])
    try expectEqual(try await served.next(2, within: Patience.cap).sorted(), ["coffee", "tea"], "what is served")
    try expectEqual(
      try await recording.next(within: Patience.cap), ["poison 4"], "what is set aside, and behind how many attempts")
    try await expectEmpty()
    try end(served)
    try end(recording)
  }

  func worksAtOnce() async throws {
    try await publish(1...30)
    let results = deliveries().acknowledged(maxTasks: .max(3)) { [self] _ in try await unsettledCount() }.record(
      atEnd: [])
    let counts = try await results.next(30, within: Patience.cap)
    try expect(counts.max()! <= 3, "unsettled at a time: \(counts.max()!)")
    try await expectEmpty()
    try end(results)
  }
}
