// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockCore
import PenstockTesting

extension DeliveryEngine {
  func takesNothingUnasked() async throws {
    try await publish(1...9)
    let idle = deliveries().record(demand: .none, atEnd: [])
    let busy = deliveries().record(demand: .oneByOne, atEnd: [])
    // The only subscriber with demand gets everything, which it would otherwise have to share.
    for number in 1...9 {
      let items = try await busy.next(within: Patience.cap)
      try expectEqual(texts(items), ["\(number)"], "who asks gets everything")
      try await items[0].ack()
    }
    try expectEqual(idle.values.count, 0, "values without demand")
    try await expectEmpty()
    try end(idle)
    try end(busy)
  }

  func takesWhatIsAsked() async throws {
    try await publish(1...9)
    let recording = deliveries().record(demand: .none, atEnd: [])
    var sum = 0
    for count in [1, 2, 5] {
      recording.request(.max(count))
      sum += count
      _ = try await recording.next(count, within: Patience.cap)
      try expectEqual(recording.values.count, sum, "values after requests of \(sum)")
      try await expectUnsettled(sum)
    }
    try end(recording)
  }

  func servesOneByOne() async throws {
    try await publish(1...20)
    let recording = deliveries().record(demand: .none, atEnd: [])
    for number in 1...20 {
      recording.request(.max(1))
      let item = try await recording.next(within: Patience.cap)[0]
      try expectEqual(text(of: item), "\(number)", "the order of publication")
      try expectEqual(item.attempt, 1, "the attempt")
      try await expectUnsettled(1)
      try await item.ack()
    }
    try await expectEmpty()
    try end(recording)
  }

  func servesEverything() async throws {
    try await publish(1...500)
    let recording = deliveries(1...64).record(atEnd: [])
    let items = try await recording.next(500, within: Patience.cap)
    try expectEqual(texts(items), (1...500).map(String.init), "the values in order")
    for item in items { try await item.ack() }
    try await expectEmpty()
    try expectEqual(recording.values.count, 500, "values in all")
    try end(recording)
  }

  func boundsWhatIsReadAhead() async throws {
    try await publish(1...50)
    let recording = deliveries(batch: 1...8, refillAt: 0).record(demand: .none, atEnd: [])
    try await expectUnsettled(8)
    recording.request(.max(3))
    let items = try await recording.next(3, within: Patience.cap)
    // Five are left, which is above the mark: nothing is fetched.
    for item in items { try await item.ack() }
    try await expectUnsettled(5)
    try end(recording)
  }

  func servesWaiters() async throws {
    let recording = deliveries().record(demand: .max(3), atEnd: [])
    try await publish(1...1)
    try expectEqual(texts(try await recording.next(within: Patience.cap)), ["1"], "the first")
    try await publish(2...4)
    try expectEqual(
      texts(try await recording.next(2, within: Patience.cap)), ["2", "3"], "the others that were requested")
    try await expectUnsettled(3)
    try end(recording)
  }

  func keepsTextsAndHeaders() async throws {
    let texts = ["", "two words", "line\r\nline", "grün 水 🚰", String(repeating: "x", count: 10_000)]
    let headers = ["Of": "five", "Unit": "°C"]
    try await publish(texts, headers: headers)
    let recording = deliveries().record(demand: .max(5), atEnd: [])
    let items = try await recording.next(5, within: Patience.cap)
    try expectEqual(self.texts(items), texts, "the texts")
    for item in items {
      for (name, value) in headers { try expectEqual(item.headers[name], value, "the header \(name)") }
      try expect(item.age >= .zero, "an age of \(item.age)")
      try await item.ack()
    }
    try end(recording)
  }
}
