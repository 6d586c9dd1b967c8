// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Makes programs and scripts from nothing but a seed.
struct DifferGenerator {
  var random: Randomness
  private var ids = 0
  private var isStrict = false

  init(seed: UInt64) { random = Randomness(seed: seed &+ 0xD1FF) }

  mutating func id() -> Int {
    ids += 1
    return ids
  }

  static func program(seed: UInt64) -> DifferProgram {
    var generator = DifferGenerator(seed: seed)
    return generator.program()
  }

  /// The scripts of a seed's program.
  static func scripts(for program: DifferProgram, seed: UInt64, count: Int, isStrict: Bool = false)
    -> [String]
  {
    (0..<count).map { number in
      var generator = DifferGenerator(seed: seed &* 1_000_003 &+ UInt64(number))
      generator.isStrict = isStrict
      return generator.script(for: program)
    }
  }

  // MARK: - Programs

  private mutating func program() -> DifferProgram {
    let count = random.chance(25) ? 2 : 1
    return DifferProgram(pipelines: (0..<count).map { pipeline(longest: $0 == 0 ? 5 : 2) })
  }

  private mutating func pipeline(longest: Int) -> DifferPipeline {
    var chain = chain(length: random.number(1...longest), depth: 0)
    let end = random.weighted(DifferEnd.all.map { ($0.weight, $0) })
    if end.needsNever { adapt(&chain, to: .never) }
    return DifferPipeline(chain: chain, end: end.name, isKept: random.chance(60))
  }

  private mutating func chain(length: Int, depth: Int) -> DifferChain {
    let source = random.weighted(DifferSource.all.map { ($0.weight, $0) })
    var chain = DifferChain(id: id(), source: source.name, number: random.number(0...9))
    while chain.links.count < length { add(to: &chain, depth: depth) }
    return chain
  }

  private mutating func add(to chain: inout DifferChain, depth: Int) {
    let row = random.weighted(DifferOperator.all.map { ($0.weight, $0) })
    if depth >= 2, !row.children.isEmpty { return }
    add(row, to: &chain, depth: depth)
  }

  /// Adds an operator if its types fit, with conversions if they are needed.
  private mutating func add(_ row: DifferOperator, to chain: inout DifferChain, depth: Int) {
    guard var failure = chain.failure else { return }
    if failure == .any, row.children.contains(where: { if case .same = $0 { true } else { false } }) {
      adapt(&chain, to: .fault)
      failure = .fault
    }
    if case .fault = row.takes, failure == .any { adapt(&chain, to: .fault) }
    guard let failure = chain.failure, row.accepts(failure) else { return }
    var link = DifferLink(id: id(), name: row.name, number: random.number(row.numbers))
    for kind in row.children {
      var child = self.chain(length: random.number(0...(depth == 0 ? 2 : 1)), depth: depth + 1)
      switch kind {
      case .same: adapt(&child, to: failure)
      case .giving: if child.failure == .any { adapt(&child, to: .fault) }
      case .anything: break
      }
      link.children.append(child)
    }
    chain.links.append(link)
    if chain.failure == nil { chain.links.removeLast() }
  }

  /// Makes the failure of a chain another.
  mutating func adapt(_ chain: inout DifferChain, to failure: DifferOperator.Failure) {
    switch (chain.failure, failure) {
    case (.never, .fault): chain.links.append(DifferLink(id: id(), name: "setFailureType"))
    case (.any, .fault): chain.links.append(DifferLink(id: id(), name: "mapError"))
    case (.fault, .never), (.any, .never): chain.links.append(DifferLink(id: id(), name: "replaceError", number: 9))
    default: break
    }
    // The closure of a mapError would be called at once.
    if chain.failure == nil { chain.links[chain.links.count - 1] = DifferLink(id: id(), name: "replaceError") }
    if chain.failure != failure { adapt(&chain, to: failure) }
  }

  // MARK: - Scripts

  /// A list of acts, hooks and plans; see the Script of the examined programs.
  private mutating func script(for program: DifferProgram) -> String {
    var lines: [String] = []
    for (number, pipeline) in program.pipelines.enumerated() where DifferEnd.named(pipeline.end).hasPlan {
      let first = random.pick(["unlimited", "unlimited", "1", "0", "2"])
      lines.append("plan \(number) \(first) \(random.pick(["0", "1", "1", "2"]))\(random.chance(40) ? " inside" : "")")
    }
    for _ in 0..<random.weighted([(2, 0), (4, 1), (3, 2), (1, 3)]) {
      lines.append(
        "@\(site(in: program)) \(random.weighted([(5, 1), (3, 2), (1, 3)])) \(act(in: program, isHook: true))")
    }
    for _ in 0..<random.number(2...9) { lines.append(act(in: program, isHook: false)) }
    return lines.joined(separator: ";")
  }

  private mutating func site(in program: DifferProgram) -> Int {
    let pipeline = random.number(0...program.pipelines.count - 1)
    let isSubscriber = program.sites.isEmpty || random.chance(40)
    guard isSubscriber else { return random.pick(program.sites) }
    let end = DifferEnd.named(program.pipelines[pipeline].end)
    var kinds = [1000, 1000, 1000, 1010]
    if end.hasPlan { kinds.append(1030) }
    if isStrict, end.name == "sink, captured" { kinds += [1020, 1020] }
    return random.pick(kinds) + pipeline
  }

  private mutating func act(in program: DifferProgram, isHook: Bool) -> String {
    let pipeline = random.number(0...program.pipelines.count - 1)
    let hasPlan = DifferEnd.named(program.pipelines[pipeline].end).hasPlan
    let feeds = program.feeds
    let isTimed = program.chains.contains { $0.links.contains { $0.row.text.contains("w.clock") } }
    let kind = random.weighted([
      (feeds.isEmpty ? 0 : isHook ? 6 : 20, "send"), (feeds.isEmpty ? 0 : isHook ? 4 : 2, "end"),
      (isHook ? 6 : 1, "cancel"), (isHook ? 4 : 1, "drop"), (2, "attach"), (hasPlan ? 4 : 0, "request"),
      (isTimed && !isHook ? 8 : 0, "advance"), (1, "other"),
    ])
    switch kind {
    case "send": return send(to: random.pick(feeds))
    case "end": return end(of: random.pick(feeds))
    case "cancel", "drop", "attach": return "\(kind) \(pipeline)"
    case "request": return "request \(pipeline) \(random.number(1...2))"
    case "advance": return "advance \(random.number(0...2))"
    default: return send(to: random.pick(["s1", "n1", "c1", "d1", "y"]))
    }
  }

  private mutating func send(to feed: String) -> String {
    switch feed {
    case "f0", "f1", "g0": "fulfil \(feed) \(random.number(1...20))"
    default: "send \(feed) \(random.number(1...20))"
    }
  }

  private mutating func end(of feed: String) -> String {
    switch feed {
    case "f0", "f1": "reject \(feed)"
    case "g0", "x", "y", "r0", "q0": send(to: feed)
    default: "\(random.pick(["finish", "fail"])) \(feed)"
    }
  }
}
