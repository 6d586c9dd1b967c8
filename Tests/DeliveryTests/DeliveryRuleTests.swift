// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import DeliveryRules
import PenstockConcurrency
import PenstockCore
import TestSupport
import Testing

/// The engine in memory.
private struct QueueEngine: DeliveryEngine {
  let deadline: Duration
  private let queue: DeliveryQueue<String>
  private let publishers = Locked<[QueuedDeliveries<String>]>([])

  init(deadline: Duration) {
    self.deadline = deadline
    queue = DeliveryQueue(capacity: 1_000, deadline: deadline)
  }

  func publish(_ texts: [String], headers: [String: String]) async throws {
    for text in texts { try await queue.publish(text, headers: headers) }
  }

  func deliveries(batch: ClosedRange<Int>, refillAt lowMark: Int?) -> AnyPublisher<QueuedDelivery<String>, Never> {
    let publisher = queue.deliveries(batch: batch, refillAt: lowMark)
    publishers.change { $0.append(publisher) }
    return publisher.eraseToAnyPublisher()
  }

  func text(of item: QueuedDelivery<String>) -> String { item.payload }

  func unsettled() async -> Int { queue.counts.unsettled }

  func kept() async -> Int { queue.counts.unsettled + queue.counts.waiting }

  var abilities: Set<EngineAbility> { .withoutServer }

  func counts() -> CreditCounts { publishers.value.map(\.counts).sum }

  func drain() async { await queue.drain() }

  func write(
    _ texts: AnyPublisher<String, Never>, maxInFlight: Int, haveIDs: Bool
  ) async throws -> StreamCounts {
    let writer = queue.streamSubscriber(failure: Never.self, maxInFlight: maxInFlight) { text in
      StreamMessage(text, id: haveIDs ? text : nil)
    }
    texts.subscribe(writer)
    try await writer.finished()
    return writer.counts
  }
}

@Suite struct DeliveryRuleTests {
  @Test(arguments: DeliveryRule.allCases)
  func `A queue in memory keeps the rules of deliveries`(_ rule: DeliveryRule) async throws {
    try await rule.check(QueueEngine(deadline: rule.deadline(short: .seconds(3))))
  }

  @Test(arguments: EngineFault.allCases)
  func `Each mistake of an engine is found by its rule`(_ fault: EngineFault) async {
    let engine = FaultyEngine(fault, deadline: fault.rule.deadline(short: .milliseconds(200)))
    await Patience.$cap.withValue(.seconds(2)) {
      // A delivery that comes at once comes long before that, however busy the machine is.
      await Patience.$delay.withValue(.seconds(3_600)) {
        await #expect(throws: (any Error).self) { try await fault.rule.check(engine) }
      }
    }
  }
}
