// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import DeliveryRules
import PenstockConcurrency
import PenstockCore
import Testing

/// The engine in memory.
private struct QueueEngine: DeliveryEngine {
  let deadline: Duration
  private let queue: DeliveryQueue<String>

  init(deadline: Duration) {
    self.deadline = deadline
    queue = DeliveryQueue(capacity: 1_000, deadline: deadline)
  }

  func publish(_ texts: [String], headers: [String: String]) async throws {
    for text in texts { try await queue.publish(text, headers: headers) }
  }

  func deliveries(batch: ClosedRange<Int>, refillAt lowMark: Int?) -> AnyPublisher<QueuedDelivery<String>, Never> {
    queue.deliveries(batch: batch, refillAt: lowMark).eraseToAnyPublisher()
  }

  func text(of item: QueuedDelivery<String>) -> String { item.payload }

  func unsettled() async -> Int { queue.counts.unsettled }

  func kept() async -> Int { queue.counts.unsettled + queue.counts.waiting }
}

@Suite struct DeliveryRuleTests {
  @Test(arguments: DeliveryRule.allCases)
  func `A queue in memory keeps the rules of deliveries`(_ rule: DeliveryRule) async throws {
    try await rule.check(QueueEngine(deadline: rule.deadline(short: .seconds(3))))
  }

  @Test(arguments: EngineFault.allCases)
  func `The rules find the mistakes of an engine`(_ fault: EngineFault) async {
    let broken = await Patience.$cap.withValue(.seconds(2)) {
      await withTaskGroup(of: DeliveryRule?.self) { group in
        for rule in DeliveryRule.allCases {
          group.addTask {
            let engine = FaultyEngine(fault, deadline: rule.deadline(short: .milliseconds(200)))
            do { try await rule.check(engine) } catch { return rule }
            return nil
          }
        }
        return await group.reduce(into: []) { if let rule = $1 { $0.append(rule) } }
      }
    }
    #expect(!broken.isEmpty)
  }
}
