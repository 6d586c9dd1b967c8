// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockCore
import PenstockTesting

/// What several checks do with an engine.
extension DeliveryEngine {
  func publish(_ numbers: ClosedRange<Int>) async throws { try await publish(numbers.map(String.init), headers: [:]) }

  func deliveries(_ batch: ClosedRange<Int> = 1...16) -> Deliveries { deliveries(batch: batch, refillAt: nil) }

  func texts(_ items: [Deliveries.Output]) -> [String] { items.map(text) }

  /// Cancels a stream, which has to have kept the rules of streams as well.
  func end<Input, Failure: Error>(_ recording: Recording<Input, Failure>) throws {
    recording.cancel()
    try recording.expectRulesKept()
  }

  func expectUnsettled(_ count: Int) async throws {
    try await expectCount(count, "\(count) unsettled") { try await unsettledCount() }
  }

  func expectEmpty() async throws {
    try await expectCount(0, "nothing is retained") { try await retainedCount() }
    try await expectUnsettled(0)
  }

  private func expectCount(_ wanted: Int, _ what: String, _ count: () async throws -> Int) async throws {
    var found = -1
    do {
      try await eventually(what) {
        found = try await count()
        return found == wanted
      }
    } catch let rule as BrokenRule {
      throw BrokenRule("\(rule); found \(found)")
    }
  }

  /// The sum of the counts of all publishers.
  func counts() -> CreditCounts {
    creditCounts().reduce(into: CreditCounts()) { sum, counts in
      sum.asked += counts.asked
      sum.credit += counts.credit
      sum.fetched += counts.fetched
      sum.inFlight += counts.inFlight
      sum.acknowledged += counts.acknowledged
      sum.givenBack += counts.givenBack
      sum.terminated += counts.terminated
      sum.refused += counts.refused
      sum.returnedCredit += counts.returnedCredit
      sum.lostCredit += counts.lostCredit
    }
  }
}
