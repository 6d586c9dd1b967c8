// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators

/// A pipeline of operators that neither make nor drop values.
///
/// The values that its sources deliver arrive, or are held for want of demand. Nothing fails, since a failure drops
/// held values.
struct ConservationProgram: Sendable {
  private var steps: StepProgram

  /// The time at which everything is requested, after all other events.
  private static let end = 1_000_025

  static let conserving: [StepOperator] =
    StepOperator.all.filter { ["append", "prepend", "merge", "merge of a list", "delay"].contains($0.name) }
    + [
      .keeping,
      .init(
        "kept full", "{0}.buffer(size: #, prefetch: .keepFull, whenFull: .dropNewest)",
        { BufferMachine($0, keepsFull: true, .dropNewest) }
      ) { $0[0].buffer(size: $0.number, prefetch: .keepFull, whenFull: .dropNewest) },
      .init(
        "flatMap, Just", "{0}.flatMap(maxPublishers: .max(#)) { Just($0).setFailureType(to: ModelError.self) }",
        { _ in DelayMachine(0) }
      ) { $0[0].flatMap(maxPublishers: .max($0.number)) { Just($0).setFailureType(to: ModelError.self) } },
      .init(
        "concatMap, Just", "{0}.concatMap { Just($0).setFailureType(to: ModelError.self) }", { _ in DelayMachine(0) }
      ) { $0[0].concatMap { Just($0).setFailureType(to: ModelError.self) }.eraseToAnyPublisher() },
      .init(
        "flatMapSequential, Just",
        "{0}.flatMapSequential(maxPublishers: .max(#), prefetch: #) { Just($0).setFailureType(to: ModelError.self) }",
        { _ in DelayMachine(0) }
      ) { b in
        b[0].flatMapSequential(maxPublishers: .max(b.number), prefetch: b.number) {
          Just($0).setFailureType(to: ModelError.self)
        }.eraseToAnyPublisher()
      },
      .init(
        "concat of a list", arity: 2, "[{0}.eraseToAnyPublisher(), {1}.eraseToAnyPublisher()].concat()",
        { _ in DelayMachine(0) }
      ) { [$0[0], $0[1]].concat().eraseToAnyPublisher() },
      .init(
        "enumerated, scan(into:)", "{0}.enumerated().scan(into: 0) { $0 = $1.element }", { _ in DelayMachine(0) }
      ) { $0[0].enumerated().scan(into: 0) { $0 = $1.element }.eraseToAnyPublisher() },
      .init("map, filter", "{0}.map { $0 }.filter { _ in true }", { _ in DelayMachine(0) }) {
        $0[0].map { $0 }.filter { _ in true }
      },
      .init("prefix, always", "{0}.prefix { _ in true }", { _ in DelayMachine(0) }) { $0[0].prefix { _ in true } },
    ]

  /// - Parameter seed: Determines the program.
  static func random(seed: UInt64, from rows: [StepOperator] = conserving) -> ConservationProgram {
    var random = Randomness(seed: seed)
    var generator = StepGenerator(from: rows, mayFail: false)
    let tree = generator.tree(&random, depth: random.number(1...5))
    var plan = StepPlan.random(&random)
    plan.requests.append((end, .unlimited))
    return ConservationProgram(steps: StepProgram(tree: tree, plan: plan))
  }

  var holds: Bool {
    let log = steps.run()
    let delivered = log.sources.values.joined().flatMap(\.delivered).sorted()
    let received = log.signals.compactMap(\.value).sorted()
    let faults = log.faults + log.sources.values.joined().flatMap(\.faults)
    if !faults.isEmpty { return false }
    // A cancel drops held values.
    return steps.plan.cancel == .never ? delivered == received : Self.contains(delivered, received)
  }

  /// Whether one sorted array has all elements of another.
  private static func contains(_ all: [Int], _ some: [Int]) -> Bool {
    var rest = all[...]
    return some.allSatisfy { value in
      rest = rest.drop { $0 < value }
      return rest.popFirst() == value
    }
  }

  /// The smallest program for which it does not hold.
  private func shrunk() -> ConservationProgram {
    let smaller =
      steps.tree.smaller.map { StepProgram(tree: $0, plan: steps.plan) }
      + steps.plan.smaller.filter { $0.requests.last?.time == Self.end && $0.requests.last?.amount == .unlimited }
      .map { StepProgram(tree: steps.tree, plan: $0) }
    for steps in smaller {
      let program = ConservationProgram(steps: steps)
      if !program.holds { return program.shrunk() }
    }
    return self
  }

  /// A test that compiles, and fails, of the smallest program for which it does not hold.
  var finding: String? { holds ? nil : shrunk().test }

  private var test: String { StepPrinter.test(conserving: steps.tree, steps.plan, found: steps.run()) }
}
