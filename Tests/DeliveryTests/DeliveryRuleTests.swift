// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockCore
import PenstockDeliveryTesting
import TestSupport
import Testing

/// The engine in memory.
private struct QueueEngine: DeliveryEngine {
  private let queue: DeliveryQueue<String>
  private let publishers = Locked<[QueuedDeliveries<String>]>([])

  init(deadline: Duration) { queue = DeliveryQueue(capacity: 1_000, deadline: deadline) }

  func publish(_ texts: [String], headers: [String: String]) async throws {
    for text in texts { try await queue.publish(text, headers: headers) }
  }

  func deliveries(batch: ClosedRange<Int>, refillAt lowMark: Int?) -> QueuedDeliveries<String> {
    let publisher = queue.deliveries(batch: batch, refillAt: lowMark)
    publishers.change { $0.append(publisher) }
    return publisher
  }

  func text(of delivery: QueuedDelivery<String>) -> String { delivery.payload }

  func unsettledCount() -> Int { queue.counts.unsettled }

  func retainedCount() -> Int { queue.counts.unsettled + queue.counts.waiting }

  var capabilities: DeliveryCapabilities { [.creditCounts, .draining, .streamSubscriber] }

  func creditCounts() -> [CreditCounts] { publishers.value.map(\.counts) }

  func drain() async { await queue.drain() }

  func publish(
    _ texts: AnyPublisher<String, Never>, maxInFlight: Int, withMessageIDs: Bool
  ) async throws -> StreamCounts {
    let writer = queue.streamSubscriber(failure: Never.self, maxInFlight: maxInFlight) { text in
      StreamMessage(text, id: withMessageIDs ? text : nil)
    }
    texts.subscribe(writer)
    try await writer.finished()
    return writer.counts
  }
}

@Suite struct DeliveryRuleTests {
  @Test(arguments: DeliveryRule.all)
  func `A queue in memory keeps the rules of deliveries`(_ rule: DeliveryRule) async throws {
    var verification = DeliveryVerification("queue") { QueueEngine(deadline: $0.deadline) }
    verification.timeLimit = .seconds(300)
    try await verification.check(rule)
  }

  @Test(arguments: EngineFault.allCases)
  func `Each mistake of an engine is found by its rules, which say what was seen and what to do`(
    _ fault: EngineFault
  ) async throws {
    var verification = DeliveryVerification(fault.rawValue) { FaultyEngine(fault, deadline: $0.deadline) }
    verification.deadline = .milliseconds(200)
    verification.timeLimit = .seconds(2)
    // A delivery that comes at once comes long before that, however busy the machine is.
    verification.redeliveryDelay = .seconds(3_600)
    for id in fault.rules {
      let rule = try #require(DeliveryRule.named(id))
      let error = await #expect(throws: DeliveryVerificationError.self) { try await verification.check(rule) }
      let result = try #require(error?.report.results.first)
      guard case .broken(let seen) = result.outcome else {
        Issue.record("\(result)")
        continue
      }
      #expect(result.rule == rule && !seen.isEmpty)
      for text in [id, rule.title, seen, rule.rationale, rule.remedy] { #expect("\(result)".contains(text)) }
    }
  }

  @Test func `Every rule has a mistake that it finds`() {
    let found = Set(EngineFault.allCases.flatMap(\.rules))
    #expect(DeliveryRule.all.map(\.id).filter { !found.contains($0) } == [])
    #expect(Set(DeliveryRule.all).count == DeliveryRule.all.count)
    #expect(DeliveryRule.all.map(\.id) == DeliveryRule.all.map(\.id).sorted())
  }

  @Test func `Every rule has a heading in the documentation, with why it is one and what to do`() throws {
    let page = try PublicNames.page("PenstockDeliveryTesting/PenstockDeliveryTesting.docc/Rules.md")
    for rule in DeliveryRule.all {
      #expect(page.contains("### \(rule.id) **\(rule.title).**"), "\(rule)")
      #expect(page.contains("\(rule.rationale) *Fix:* \(rule.remedy)"), "\(rule)")
    }
  }
}
