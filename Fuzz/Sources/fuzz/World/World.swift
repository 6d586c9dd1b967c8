// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import Synchronization

typealias Stream = AnyPublisher<Item, Fault>

/// One run of a program.
final class World: Sendable {
  static let subjectLimit = 8
  private static let deliveryLimit = 20_000

  let program: Program
  let nestsEnds: Bool
  let nestsCancels: Bool
  let valuesUnderWay: Int
  /// The parts of the run; `nil` after it has been taken apart.
  private let parts = Guard<Parts?>(nil)
  private let deliveries = Atomic<Int>(0)

  init(_ program: Program) {
    self.program = program
    nestsEnds = program.nestsEnds
    nestsCancels = program.nestsCancels
    valuesUnderWay = program.valuesUnderWay
    let parts = Parts(program, in: self)
    self.parts.change { $0 = parts }
  }

  var current: Parts? { parts.value }

  /// Releases everything.
  func takeApart() {
    let last = parts.change { $0.take() }
    last?.takeApart()
  }

  // MARK: The budget

  func countDelivery() {
    deliveries.add(1, ordering: .relaxed)
    Census.deliveries.add(1, ordering: .relaxed)
  }

  /// Whether the number of deliveries has exceeded its limit: nothing more is sent.
  var isExhausted: Bool { deliveries.load(ordering: .relaxed) > Self.deliveryLimit }

  // MARK: Acts

  func perform(_ act: Act) {
    guard let parts = parts.value, !isExhausted else { return }
    parts.perform(act)
  }

  func closure(_ act: Act) -> () -> Void {
    let tracer = Tracer()
    return { [self] in
      tracer.touch()
      perform(act)
    }
  }
}
