// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockDeliveryTesting
import Testing

/// Every public type; the census of all modules looks here for the types of the module that needs an engine.
@Suite struct SendableTests {
  @Test func `All types are Sendable`() {
    var census = Census()
    census.note(DeliveryCapabilities.self)
    census.note(DeliveryEngineConfiguration.self)
    census.note(DeliveryReport.self)
    census.note(DeliveryResult.self)
    census.note(DeliveryResult.Outcome.self)
    census.note(DeliveryRule.self)
    census.note(DeliveryVerification<FaultyEngine>.self)
    census.note(DeliveryVerificationError.self)
    #expect(census.count == 8)
  }
}

/// Counts types that the compiler takes for Sendable.
private struct Census {
  private(set) var count = 0

  mutating func note<T: Sendable>(_ type: T.Type) { count += 1 }
}
