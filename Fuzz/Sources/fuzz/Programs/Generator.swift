// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Generates the program of a seed.
struct Generator {
  private var random: Randomness
  private var operators: [OperatorRow]
  private let subjectKinds: [(weight: Int, choice: SubjectKind)]
  private let mayHaveTasks: Bool
  private let seed: UInt64
  private var subjectCount = 0
  private var laneCount = 0
  private var sharedCount = 0
  private var pipelineCount = 0
  /// The number of operators that the current node may still have.
  private var room = 0

  /// The set to choose from.
  struct Choice: Sendable {
    /// The operators to use; empty for all.
    var only: Set<String> = []
    /// The operators and kinds of subjects to leave out, or `tasks`.
    var without: Set<String> = []
  }

  static func program(seed: UInt64, from choice: Choice = Choice()) -> Program {
    var generator = Generator(seed: seed, from: choice)
    return generator.program()
  }

  private init(seed: UInt64, from choice: Choice) {
    self.seed = seed
    random = Randomness(seed: seed)
    operators = OperatorRow.operators.filter {
      (choice.only.isEmpty || choice.only.contains($0.name)) && !choice.without.contains($0.name)
    }
    mayHaveTasks = !choice.without.contains("tasks")
    subjectKinds = [(6, .passthrough), (3, .current), (2, .integers), (1, .published), (1, .announcing)].filter {
      !choice.without.contains($0.1.rawValue)
    }
  }

  private mutating func program() -> Program {
    // Few operators in one program, and others in the next: so the same operators are often combined, in all ways.
    if random.chance(60), !operators.isEmpty {
      operators = (0..<random.number(2...8)).map { _ in random.pick(operators) }
    }
    let subjects = (0..<random.number(1...3)).map { _ in subjectKind() }
    subjectCount = subjects.count
    let lanes = (0..<3).map { _ in laneKind() }
    laneCount = lanes.count
    pipelineCount = random.number(1...4)
    var shared: [SharedStream] = []
    for _ in 0..<random.weighted([(6, 0), (3, 1), (1, 2)]) {
      room = 5
      shared.append(
        SharedStream(
          kind: random.pick(SharedStream.Kind.allCases), capacity: random.number(1...4), node: node(depth: 3)))
      sharedCount = shared.count
    }
    var program = Program(
      seed: seed, subjects: subjects, lanes: lanes, shared: shared, pipelines: [], actors: [],
      ending: random.weighted([(5, .finish), (1, .fail), (2, .cancel), (2, .drop)]))
    for _ in 0..<pipelineCount { program.pipelines.append(pipeline(in: program)) }
    program.actors = actors()
    return program
  }

  private mutating func subjectKind() -> SubjectKind {
    random.weighted(subjectKinds)
  }

  private mutating func laneKind() -> LaneKind {
    random.weighted([(5, .virtual), (4, .serial), (2, .concurrent), (1, .operations), (1, .immediate)])
  }

  // MARK: Publishers

  private mutating func node(depth: Int) -> Node {
    room -= 1
    if depth == 0 || room <= 0 || random.chance(12) || operators.isEmpty { return source() }
    var made = node(of: random.pick(operators), depth: depth)
    if random.chance(15) { made = Node(name: "check", numbers: [random.number(0...3)], children: [made]) }
    return made
  }

  private mutating func source() -> Node {
    if sharedCount > 0, random.chance(35) { return Node(name: "shared", numbers: [random.number(0...sharedCount - 1)]) }
    if random.chance(75) { return Node(name: "subject", numbers: [random.number(0...subjectCount - 1)]) }
    return node(of: random.pick(OperatorRow.finite), depth: 0)
  }

  private mutating func node(of row: OperatorRow, depth: Int) -> Node {
    var made = Node(name: row.name)
    for kind in row.numbers {
      switch kind {
      case .count(let range): made.numbers.append(random.number(range))
      case .lane: made.numbers.append(random.number(0...laneCount - 1))
      case .subject: made.numbers.append(random.number(0...subjectCount - 1))
      case .shared: made.numbers.append(random.number(0...max(0, sharedCount - 1)))
      case .act: made.numbers += act().numbers
      }
    }
    for place in 0..<random.number(row.children) {
      // The first child may be the deepest; the others are shorter.
      made.children.append(node(depth: place == 0 ? depth - 1 : min(depth - 1, 1)))
    }
    return made
  }

  private mutating func act() -> Act {
    let kind: Act.Kind = random.weighted([
      (6, .send), (3, .finish), (1, .fail), (5, .cancel), (3, .request), (2, .visit), (1, .connect), (1, .disconnect),
      (1, .resume),
    ])
    switch kind {
    case .send, .finish, .fail, .visit: return Act(kind, random.number(0...subjectCount - 1))
    case .cancel, .resume: return Act(kind, random.number(0...max(0, pipelineCount - 1)))
    case .request: return Act(kind, random.number(0...max(0, pipelineCount - 1)), amount: random.number(1...5))
    case .connect, .disconnect:
      return sharedCount > 0
        ? Act(kind, random.number(0...sharedCount - 1)) : Act(.send, random.number(0...subjectCount - 1))
    }
  }

  // MARK: Subscribers

  private mutating func pipeline(in program: Program) -> Pipeline {
    room = 10
    let node = node(depth: random.number(0...5))
    return Pipeline(node: node, terminal: terminal(for: node, in: program), startsFirst: random.chance(75))
  }

  private mutating func terminal(for node: Node, in program: Program) -> Terminal {
    var kind: Terminal.Kind = random.weighted([
      (12, .counting), (4, .sink), (2, .values), (1, .pausable), (1, .feeding),
    ])
    // Only into a later subject that counts demand, so that no value goes round in a circle.
    let highest = program.subjects(below: node).max() ?? -1
    let targets = program.subjects.indices.filter {
      $0 > highest && [.passthrough, .current].contains(program.subjects[$0])
    }
    if kind == .feeding, targets.isEmpty { kind = .counting }
    #if PENSTOCK_TSAN
      // The sanitizer does not see that a task whose value has already come has synchronised with the sender: see
      // SanitizerSupport. It would report every use of the value as a race.
      if kind == .values { kind = .counting }
    #endif
    var acts: [Int: Act] = [:]
    for _ in 0..<random.weighted([(5, 0), (4, 1), (2, 2)]) { acts[random.number(1...8)] = act() }
    return Terminal(
      kind: kind, demand: random.weighted([(5, nil), (1, 0), (3, 1), (2, random.number(2...20))]),
      reply: random.weighted([(3, 1), (2, 0), (1, 2)]), acts: acts,
      dwell: random.weighted([(5, 0), (3, 2), (1, 30), (1, 200)]), target: kind == .feeding ? random.pick(targets) : 0)
  }

  // MARK: Threads

  private mutating func actors() -> [Actor] {
    let areTasks = random.chance(35) && mayHaveTasks
    return (0..<random.weighted([(1, 1), (5, 2), (3, 3), (areTasks ? 3 : 0, 4)])).map { _ in
      let isTask = areTasks && random.chance(85)
      return Actor(isTask: isTask, steps: (0..<random.number(1...6)).map { _ in step(isTask: isTask) })
    }
  }

  private mutating func step(isTask: Bool) -> Step {
    switch random.weighted([(10, 0), (3, 1), (2, 2), (3, 3), (1, 4)]) {
    case 0:
      let count = random.weighted([
        (3, random.number(1...3)), (4, random.number(4...40)), (isTask ? 4 : 1, isTask ? 1_000 : 200),
      ])
      let act: Act? = random.chance(25) ? act() : nil
      return .send(
        subject: random.number(0...subjectCount - 1), count: count,
        pauseEvery: random.weighted([(isTask ? 0 : 2, 0), (2, 5), (1, 3), (1, 20)]), act: act,
        actEvery: act == nil ? 0 : random.weighted([(2, count), (1, random.number(1...count))]))
    case 1: return .act(act())
    case 2: return .subscribe(pipeline: random.number(0...pipelineCount - 1))
    case 3: return .advance(milliseconds: random.number(0...3), times: random.number(1...8))
    default: return .pause(random.number(1...40))
    }
  }
}
