// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A law with pipelines above it, and the plan of the subscriber of both sides.
struct LawProgram: Sendable {
  let law: Law
  var trees: [StepTree]
  var n: Int
  var m: Int
  var plan: StepPlan

  /// - Parameter seed: Determines the program.
  static func random(seed: UInt64, from laws: [Law] = Law.all) -> LawProgram {
    var random = Randomness(seed: seed)
    let law = random.pick(laws)
    let (isTimed, mayFail) = (law.sources.contains(.timed), !law.sources.contains(.finishing))
    let rows = (isTimed ? StepOperator.passing + StepOperator.remembering : StepOperator.all)
      .filter { mayFail || !$0.mayFail }
    var generator = StepGenerator(from: rows, isTimed: isTimed, mayFail: mayFail)
    let trees = (0..<law.arity).map { _ in generator.tree(&random, depth: random.number(0...3)) }
    var plan = StepPlan.random(&random)
    if law.scope == .unlimited || law.scope == .unordered {
      plan.first = .unlimited
      plan.requests = []
      // If the order is open, so is the set of values before a cancel.
      if law.scope == .unordered { plan.cancel = .never }
    }
    return LawProgram(law: law, trees: trees, n: random.number(1...4), m: random.number(1...4), plan: plan)
  }

  private func run(_ side: Law.Build) -> StepLog {
    let world = StepWorld(trees)
    let site = Law.Site(upstreams: trees.map { world.stream($0) }, n: n, m: m)
    return world.run(side(site), plan).compared
  }

  /// The results of both sides, as far as they are compared.
  var sides: (left: [String], right: [String]) { (compared(run(law.left)), compared(run(law.right))) }

  var holds: Bool {
    let sides = sides
    return sides.left == sides.right
  }

  private func compared(_ log: StepLog) -> [String] {
    switch law.scope {
    case .demand: return log.lines
    case .signals, .unlimited: return [log.lines[0]]
    case .unordered: return log.unordered
    }
  }

  /// The smallest program for which the law does not hold.
  private func shrunk() -> LawProgram {
    for program in smaller where !program.holds { return program.shrunk() }
    return self
  }

  private var smaller: [LawProgram] {
    var programs: [LawProgram] = []
    func add(_ change: (inout LawProgram) -> Void) {
      var program = self
      change(&program)
      programs.append(program)
    }
    for place in trees.indices { for tree in trees[place].smaller { add { $0.trees[place] = tree } } }
    if n > 1 { add { $0.n -= 1 } }
    if m > 1 { add { $0.m -= 1 } }
    for plan in plan.smaller {
      if plan.first != .unlimited, law.scope == .unlimited || law.scope == .unordered { continue }
      add { $0.plan = plan }
    }
    return programs
  }

  /// A test that compiles, and fails, of the smallest program for which the law does not hold.
  var finding: String? { holds ? nil : shrunk().test }

  private var test: String {
    let lines =
      switch law.scope {
      case .demand: "noted.lines"
      case .signals, .unlimited: "noted.received"
      case .unordered: "noted.received.sorted()"
      }
    return StepPrinter.test(
      law.name, trees, plan, left: source(law.texts.left), right: source(law.texts.right), lines: lines)
  }

  private func source(_ text: String) -> String {
    trees.enumerated().reduce(text.replacing("#n", with: "\(n)").replacing("#m", with: "\(m)")) { text, tree in
      text.replacing("{\(tree.offset)}", with: tree.element.swift)
    }
  }
}

extension StepLog {
  /// The signals, in any order within a time.
  ///
  /// The values at the time of a failure depend on the order.
  fileprivate var unordered: [String] {
    let failure = signals.first { $0.value == nil && $0.isFailure }
    return signals.filter { $0.time != failure?.time || $0 == failure }
      .sorted { ($0.time, $0.value ?? .max) < ($1.time, $1.value ?? .max) }
      .map { "\($0.value.map(String.init) ?? ($0.isFailure ? "failed" : "finished"))@\($0.time)" } + faults
  }
}
