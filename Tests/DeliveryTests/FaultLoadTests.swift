// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import DeliveryFaults
import PenstockConcurrency
import PenstockCore
import PenstockDeliveryTesting
import Testing

/// Tests that the load finds each mistake that it looks for while a part is taken down.
@Suite struct FaultLoadTests {
  enum Engine: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case right = "all is well"
    case loses = "loses what it has confirmed"
    case forgets = "does not deliver again what has not been acknowledged"
    case keeps = "has something left"

    var testDescription: String { rawValue }
  }

  @Test(arguments: Engine.allCases)
  func `What an engine loses is found, and nothing in one that keeps everything`(_ engine: Engine) async throws {
    let queue = DeliveryQueue<[UInt8]>(
      capacity: 10_000, deadline: engine == .forgets ? .seconds(3_600) : .seconds(1))
    let load = FaultLoad()
    defer { load.stop() }
    load.work { _ in queue.deliveries(batch: 1...16) }
    load.publish { number in
      if engine == .loses, number == 7 { return }
      try await queue.publish(Array("\(number)".utf8))
    }
    let round = try await load.round(lasting: .zero) {
    } noticedBy: {
      true
    } _: {
    }
    #expect(round.silence >= .zero && round.noticed != nil)
    var patience = Patience()
    patience.cap = .seconds(engine == .right ? 60 : 2)
    let sums = await Patience.$current.withValue(patience) {
      try? await load.finish { engine != .keeps && queue.counts.unsettled == 0 }
    }
    #expect((sums != nil) == (engine == .right))
    guard let sums else { return }
    #expect(sums.confirmed == load.confirmed && sums.confirmed == load.delivered)
    #expect(sums.forgotten == sums.confirmed / 50 && load.failures == 0)
    #expect("\(FaultFigures("a test", [round, round], sums))".contains("2 rounds: noticed after"))
  }
}
