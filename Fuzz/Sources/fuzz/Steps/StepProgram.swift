// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A pipeline and the plan of its subscriber.
struct StepProgram: Sendable {
  var tree: StepTree
  var plan: StepPlan

  /// - Parameter seed: Determines the program.
  static func random(seed: UInt64, from rows: [StepOperator] = StepOperator.all) -> StepProgram {
    var random = Randomness(seed: seed)
    var generator = StepGenerator(from: rows)
    let tree = generator.tree(&random, depth: random.number(1...5))
    return StepProgram(tree: tree, plan: .random(&random))
  }

  /// The log of the reference.
  var expected: StepLog { Interpreter.log(of: tree, plan).compared }

  /// Returns the log of the library.
  func run() -> StepLog {
    let world = StepWorld([tree])
    return world.run(world.stream(tree), plan).compared
  }

  private var differs: Bool {
    let (expected, found) = (expected, run())
    if expected.isUndetermined { return !found.faults.isEmpty }
    return expected.isOpen
      ? expected.signals != found.signals || !found.faults.isEmpty : expected != found
  }

  /// The smallest program that still differs from the reference.
  private func shrunk() -> StepProgram {
    let smaller =
      tree.smaller.map { StepProgram(tree: $0, plan: plan) } + plan.smaller.map { StepProgram(tree: tree, plan: $0) }
    for program in smaller where program.differs { return program.shrunk() }
    return self
  }

  /// A test that compiles, and fails, of the smallest program that differs.
  var finding: String? {
    if !differs { return nil }
    let small = shrunk()
    return StepPrinter.test(small.tree, small.plan, expected: small.expected, found: small.run())
  }
}
