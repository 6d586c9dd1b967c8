// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators
import PenstockTesting

/// An operator with its reference: a machine.
struct StepOperator: Sendable {
  let name: String
  /// The number of upstreams.
  let arity: Int
  /// Whether the second upstream is made for each value.
  let hasInner: Bool
  /// The source text: `{0}` and `{1}` are upstreams, `#` is the number.
  let swift: String
  let machine: @Sendable (_ number: Int) -> any Machine
  let build: @Sendable (StepBuilder) -> ModelOperator.Stream

  init<P: Publisher<Int, ModelError> & SendableMetatype>(
    _ name: String, arity: Int = 1, hasInner: Bool = false, _ swift: String,
    _ machine: @escaping @Sendable (Int) -> any Machine, _ build: @escaping @Sendable (StepBuilder) -> P
  ) {
    self.name = name
    self.arity = arity
    self.hasInner = hasInner
    self.swift = swift
    self.machine = machine
    self.build = { build($0).eraseToAnyPublisher() }
  }

  /// The same operator with another reference.
  func with(_ machine: @escaping @Sendable (Int) -> any Machine) -> StepOperator {
    StepOperator(name, arity: arity, hasInner: hasInner, swift, machine, build)
  }

  /// Whether its number is a time.
  var isTimed: Bool { swift.contains("nanoseconds") }

  /// Whether it may fail although upstream does not.
  var mayFail: Bool { swift.contains("throw") || swift.contains("customError") }

  /// Keeps everything until it is requested.
  static let keeping = StepOperator(
    "buffer, unbounded", "{0}.buffer(size: 99, prefetch: .byRequest, whenFull: .dropNewest)",
    { _ in BufferMachine(99, keepsFull: false, .dropNewest) },
    { $0[0].buffer(size: 99, prefetch: .byRequest, whenFull: .dropNewest) })

  static let all: [StepOperator] =
    passing + remembering + reducing + queued + succeeding + combining + flattening + timed
}

/// Makes the publishers of a tree.
struct StepBuilder {
  let world: StepWorld
  let upstreams: [StepTree]
  let number: Int
  /// The value for which an inner publisher is made.
  let outer: Int

  subscript(place: Int) -> ModelOperator.Stream { world.stream(upstreams[place], outer: outer) }

  func inner(_ value: Int) -> ModelOperator.Stream { world.stream(upstreams[1], outer: value) }
}
