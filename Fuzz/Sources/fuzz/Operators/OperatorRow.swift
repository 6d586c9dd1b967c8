// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock

/// The meaning of a number in a node.
enum NumberKind {
  case count(ClosedRange<Int>)
  case lane, subject, shared
  /// Three numbers: see ``Act``.
  case act
}

/// Properties that an operator preserves: what holds upstream holds downstream.
struct Traits: OptionSet, Sendable {
  var rawValue: Int

  /// The values of a sender stay in order, and none is duplicated.
  static let ordered = Traits(rawValue: 1)
  /// With unlimited demand, no value is lost.
  static let conserving = Traits(rawValue: 2)
  /// A current value is delivered while subscribing.
  static let presenting = Traits(rawValue: 4)
  /// Requests values only when there is room for them, so values without demand stop here.
  static let late = Traits(rawValue: 8)
  /// All that an operator can preserve.
  static let transparent: Traits = [.ordered, .conserving, .presenting]
  static let faithful: Traits = [.ordered, .conserving]
}

/// An operator or a source: how it is generated, printed and built.
struct OperatorRow: Sendable {
  let name: String
  /// The number of upstreams, successors and inner streams.
  let children: ClosedRange<Int>
  let numbers: [NumberKind]
  let traits: Traits
  /// The source text: `{0}` is a child, `#0` a number, `@0` the scheduler and `!0` the act that begin there, `{…}` all
  /// children after the first.
  let swift: String
  let build: @Sendable (Builder) -> Stream

  /// An operator with an upstream.
  init<P: Publisher<Item, Fault> & SendableMetatype>(
    _ name: String, _ numbers: [NumberKind] = [], _ traits: Traits = [], children: ClosedRange<Int> = 1...1,
    swift: String, _ build: @escaping @Sendable (Builder) -> P
  ) {
    self.name = name
    self.children = children
    self.numbers = numbers
    self.traits = traits
    self.swift = swift
    self.build = { build($0).eraseToAnyPublisher() }
  }

  /// An operator whose failure is any error.
  init<P: Publisher<Item, any Error> & SendableMetatype>(
    throwing name: String, _ numbers: [NumberKind] = [], _ traits: Traits = [], children: ClosedRange<Int> = 1...1,
    swift: String, _ build: @escaping @Sendable (Builder) -> P
  ) {
    self.init(name, numbers, traits, children: children, swift: swift) {
      build($0).mapError { $0 as? Fault ?? Fault(text: "\($0)") }
    }
  }

  /// An operator that cannot fail.
  init<P: Publisher<Item, Never> & SendableMetatype>(
    unfailing name: String, _ numbers: [NumberKind] = [], _ traits: Traits = [], children: ClosedRange<Int> = 1...1,
    swift: String, _ build: @escaping @Sendable (Builder) -> P
  ) {
    self.init(name, numbers, traits, children: children, swift: swift) {
      build($0).setFailureType(to: Fault.self)
    }
  }

  static let sources: [OperatorRow] = subjects + finite
  static let operators: [OperatorRow] =
    mapping + filtering + prefixing + reducing + matching + debugging + sharing + errors + succession + flattening
    + combining + timing + beyond
  static let byName = Dictionary(uniqueKeysWithValues: (sources + operators + [check]).map { ($0.name, $0) })

  /// Checks all signals.
  static let check = OperatorRow("check", [.count(0...3)], .transparent, swift: "{0}\n.check()") { b in
    Checked(
      upstream: b[0], place: "check above \(b.node.children[0].name)", checks: b.world.program.checks(of: b.node),
      dwell: b.numbers[0] * b.numbers[0] * b.numbers[0], world: b.world)
  }
}

/// Makes a publisher from a node.
struct Builder: @unchecked Sendable {
  let parts: Parts
  let world: World
  var node = Node(name: "")
  /// The value for which an inner stream is opened.
  var item: Item?

  init(_ parts: Parts, world: World) {
    self.parts = parts
    self.world = world
  }

  var numbers: [Int] { node.numbers }

  func stream(_ node: Node, for item: Item? = nil) -> Stream {
    guard let row = OperatorRow.byName[node.name] else { fatalError("there is no operator \(node.name)") }
    var inner = self
    inner.node = node
    inner.item = item ?? self.item
    return row.build(inner)
  }

  subscript(child: Int) -> Stream { stream(node.children[child]) }

  /// One of the inner streams, for a value.
  ///
  /// Called when the run may already be over: then there is none.
  func inner(_ item: Item) -> Stream {
    guard world.current != nil else { return Empty().eraseToAnyPublisher() }
    let choices = node.children.dropFirst()
    return stream(choices[choices.startIndex + abs(item.number) % choices.count], for: item)
  }

  func lane(_ place: Int) -> Lane { parts.lanes[numbers[place]] }
  func act(_ place: Int) -> Act { Act(numbers[place..<place + 3]) }
}
