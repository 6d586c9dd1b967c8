// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockCore
import PenstockTesting

/// The checks of what an engine counts, how it is published to, how it ends, and how it is away.
extension DeliveryEngine {
  private func expectCounts(_ what: String, _ condition: (CreditCounts) -> Bool) async throws {
    do {
      try await eventually(what) {
        let counts = counts()
        let sum = counts.fetched + counts.credit + counts.returnedCredit + counts.lostCredit
        return counts.asked == sum && condition(counts)
      }
    } catch let rule as BrokenRule {
      throw BrokenRule("\(rule); found \(counts())")
    }
  }

  func countsCredit() async throws {
    try await publish(1...9)
    let recording = deliveries().record(demand: .none, atEnd: [])
    try expectEqual(counts(), CreditCounts(), "the counts without demand")
    recording.request(.max(5))
    let first = try await recording.next(5, within: Patience.cap)
    try await expectCounts("five are in flight") { $0.fetched == 5 && $0.inFlight == 5 && $0.credit == 0 }
    try await first[0].ack()
    try await first[1].nak(after: nil)
    try await first[2].terminate()
    try await first[3].giveBack()
    try await expectCounts("four are settled") {
      $0.inFlight == 1 && $0.acknowledged == 1 && $0.givenBack == 2 && $0.terminated == 1
    }
    try? await first[0].ack()
    try expectEqual(counts().acknowledged, 1, "acknowledged, once and not twice")
    recording.request(.max(20))
    let rest = try await recording.next(6, within: Patience.cap)
    for item in rest + [first[4]] { try await item.ack() }
    try await expectCounts("all are settled") { $0.fetched == 11 && $0.acknowledged == 8 && $0.inFlight == 0 }
    try end(recording)
    try await expectCounts("no credit is left after a cancel") { $0.credit == 0 && $0.refused == 0 }
    try await expectEmpty()
  }

  func finishesWhenDrained() async throws {
    try await publish(1...3)
    let recording = deliveries(1...2).record(demand: .max(2), atEnd: [])
    let items = try await recording.next(2, within: Patience.cap)
    let draining = Task { try await drain() }
    // A request that comes before the engine has begun to drain would be answered.
    try await items[0].ack()
    try await items[1].ack()
    try await draining.value
    recording.request(.max(10))
    try await eventually("the stream ends") { recording.completion != nil }
    if case .failure(let error)? = recording.completion { throw BrokenRule("the stream has failed: \(error)") }
    try await eventually("one is left") { try await retainedCount() == 1 }
  }

  func confirmsWhatIsWritten() async throws {
    let requests = PassthroughSubject<Subscribers.Demand, Never>()
    let requested = requests.record(atEnd: [])
    let numbers = (1...200).publisher.map(String.init).handleEvents(receiveRequest: { requests.send($0) })
    let written = try await publish(numbers.eraseToAnyPublisher(), maxInFlight: 7, withMessageIDs: false)
    try expect(requested.values.first ?? .none <= .max(7), "requested at first: \(requested.values)")
    try expect(requested.values.reduce(.none, +) <= .max(207), "requested in all: \(requested.values)")
    var wanted = StreamCounts()
    (wanted.received, wanted.confirmed) = (200, 200)
    try expectEqual(written, wanted, "the counts at the end")
    let recording = deliveries().record(atEnd: [])
    let items = try await recording.next(200, within: Patience.cap)
    try expectEqual(Set(texts(items)), Set((1...200).map(String.init)), "what comes")
    for item in items { try await item.ack() }
    try await expectEmpty()
    try end(recording)
  }

  func keepsOncePerID() async throws {
    let written = try await publish(
      ["tea", "coffee", "tea"].publisher.eraseToAnyPublisher(), maxInFlight: 1, withMessageIDs: true)
    try expectEqual(written.confirmed, 3, "what is confirmed")
    try expectEqual(written.duplicates, 1, "what the stream had before")
    try await eventually("two are kept") { try await retainedCount() == 2 }
  }

  func outlastsOutages() async throws {
    try await publish(1...3)
    let recording = deliveries().record(atEnd: [])
    for item in try await recording.next(3, within: Patience.cap) { try await item.ack() }
    try await stopServer()
    try await startServer()
    // The link that publishes may not be there yet.
    for number in 4...6 {
      try await eventually("\(number) is published") { (try? await publish(["\(number)"], headers: [:])) != nil }
    }
    var missing = Set(["4", "5", "6"])
    while !missing.isEmpty {
      let item = try await recording.next(within: Patience.cap)[0]
      missing.remove(text(of: item))
      try? await item.ack()
    }
    try end(recording)
  }

  func endsAfterOutages() async throws {
    try await publish(1...1)
    let recording = deliveries().record(atEnd: [])
    _ = try await recording.next(within: Patience.cap)
    try await stopServer()
    try await eventually("the stream ends") { recording.completion != nil }
    guard case .failure(let error)? = recording.completion, isOutage(error) else {
      throw BrokenRule(
        "the stream has ended with something else than an outage: \(String(describing: recording.completion))")
    }
  }

  func servesTheGuide() async throws {
    try await publish(["tea", "poison", "coffee"], headers: [:])
    let bills = billed(deliveries()) { [self] in text(of: $0) }.record(atEnd: [])
    try expectEqual(
      try await bills.next(2, within: Patience.cap).sorted(), ["billed coffee", "billed tea"], "the bills")
    var wanted = CreditCounts()
    // The poison comes five times to the work, and once more to be set aside.
    (wanted.fetched, wanted.acknowledged, wanted.givenBack, wanted.terminated) = (8, 2, 5, 1)
    try await expectEmpty()
    try end(bills)
    try await expectCounts("the counts of the guide") { counts in
      wanted.asked = counts.asked
      (wanted.returnedCredit, wanted.lostCredit) = (counts.returnedCredit, counts.lostCredit)
      return counts == wanted
    }
  }
}

/// The pipeline of the guide, which is the same for all engines.
private func billed<Orders: Publisher>(
  _ orders: Orders, text: @escaping @Sendable (Orders.Output) -> String
) -> some Publisher<String, Orders.Failure> where Orders.Output: Delivery {
  orders
    .deadLetter(after: 5) { _ in }
    .acknowledged(maxTasks: .max(4), onFailure: { _, _ in .nak(after: .milliseconds(10)) }) { delivery in
      let order = text(delivery)
      if order == "poison" { throw DeliveryError(.refused, "nobody pays for that") }
      return "billed \(order)"
    }
}
