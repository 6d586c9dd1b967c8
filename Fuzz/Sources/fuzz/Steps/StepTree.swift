// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A pipeline: operators over sources, each with a number.
indirect enum StepTree: Sendable {
  /// Values that are delivered as soon as they are requested, and an end.
  case sequence(Int, [Int], isFailing: Bool)
  /// A subject, and the values that are sent to it, with their times.
  case subject(Int, Timeline)
  /// In an inner publisher: a number of values that depend on the outer one.
  case made(Int, count: Int)
  case node(StepOperator, Int, [StepTree])

  /// The subjects and the values that are sent to them, by the number of the source.
  var subjects: [Int: Timeline] {
    switch self {
    case .subject(let id, let line): [id: line]
    case .sequence, .made: [:]
    case .node(_, _, let upstreams): upstreams.reduce(into: [:]) { $0.merge($1.subjects) { line, _ in line } }
    }
  }

  static func made(of value: Int, count: Int) -> [Int] { (0..<count).map { value &* 3 &+ $0 } }

  /// Smaller trees, the smallest first.
  var smaller: [StepTree] {
    switch self {
    case .sequence(let id, let values, let isFailing):
      return values.indices.map { place in
        var values = values
        values.remove(at: place)
        return .sequence(id, values, isFailing: isFailing)
      } + (isFailing ? [.sequence(id, values, isFailing: false)] : [])
    case .subject(let id, let line):
      return line.moments.indices.map { place in
        var line = line
        line.moments.remove(at: place)
        return .subject(id, line)
      } + (line.end == nil ? [] : [.subject(id, Timeline(moments: line.moments))])
    case .made(let id, let count): return count > 0 ? [.made(id, count: count - 1)] : []
    case .node(let row, let number, let upstreams):
      // A publisher that depends on an outer value cannot stand alone.
      let kept = row.hasInner ? Array(upstreams.prefix(1)) : upstreams
      return kept
        + upstreams.indices.flatMap { place in
          upstreams[place].smaller.map { upstream in
            var upstreams = upstreams
            upstreams[place] = upstream
            return .node(row, number, upstreams)
          }
        } + (number > 1 && !row.isTimed ? [.node(row, number - 1, upstreams)] : [])
    }
  }
}

/// Makes random trees.
struct StepGenerator {
  private let rows: [StepOperator]
  /// Whether all values come at separate times.
  private let isTimed: Bool
  private let mayFail: Bool
  private var sources = 0
  private var delays = 0

  init(from rows: [StepOperator], isTimed: Bool = false, mayFail: Bool = true) {
    self.rows = rows
    self.mayFail = mayFail
    self.isTimed = isTimed
  }

  mutating func tree(_ random: inout Randomness, depth: Int, isInner: Bool = false) -> StepTree {
    if depth == 0 { return source(&random, isInner: isInner) }
    let row = random.pick(rows)
    let upstreams = (0..<row.arity).map { place in
      tree(
        &random, depth: place == 0 ? depth - 1 : random.number(0...min(2, depth - 1)),
        isInner: isInner || (row.hasInner && place == 1))
    }
    // Separate times: those of subjects are multiples of 1,000 plus the subject's number, those of a subscriber plus 25
    // and 27; those of delays plus a power of two above that.
    var number = random.number(1...4)
    if row.isTimed {
      number = random.number(1...8) * 1_000 + 32 << min(delays, 4)
      delays += 1
    }
    return .node(row, number, upstreams)
  }

  private mutating func source(_ random: inout Randomness, isInner: Bool) -> StepTree {
    sources += 1
    let id = sources
    if isInner, random.chance(70) { return .made(id, count: random.number(0...3)) }
    if !isTimed, random.chance(45) {
      return .sequence(
        id, (0..<random.weighted([(1, 0), (9, random.number(1...6))])).map { _ in random.number(0...20) },
        isFailing: random.chance(15) && mayFail)
    }
    var (line, time) = (Timeline(), 0)
    for _ in 0..<random.number(0...6) {
      time += random.number(1...5)
      line.moments.append(.init(time: time * 1_000 + id, value: random.number(0...20)))
    }
    if random.chance(75) {
      line.end = .init(time: (time + random.number(1...5)) * 1_000 + id, isFailure: random.chance(30) && mayFail)
    }
    let subject = StepTree.subject(id, line)
    // Some keep values that are not requested.
    return !isTimed && random.chance(30) ? .node(.keeping, 1, [subject]) : subject
  }
}
