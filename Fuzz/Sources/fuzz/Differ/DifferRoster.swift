// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Every operator on its own and every ordered pair of operators, above a source without and above one with a current
/// value, each with every kind of hook in its last closure and in its subscriber.
enum DifferRoster {
  /// A part of the roster; `"3/100"` is the third of a hundred, each of which has some of everything.
  static func cases(part: String) throws -> [DifferCase] {
    let numbers = part.split(separator: "/").compactMap { Int($0) }
    guard numbers.count == 2, numbers[1] > 0, (1...numbers[1]).contains(numbers[0]) else {
      throw DifferFailure(description: "a part is said as 3/100")
    }
    let (rows, sources) = (DifferOperator.all, ["s0", "c0"])
    // If the number is one more than that of the last operator, there is no second operator.
    let count = rows.count * (rows.count + 1) * sources.count
    return stride(from: numbers[0] - 1, to: count, by: numbers[1]).compactMap { place -> DifferCase? in
      let source = sources[place % sources.count]
      let (first, second) = (place / sources.count).quotientAndRemainder(dividingBy: rows.count + 1)
      let pair = [rows[first]] + (second < rows.count ? [rows[second]] : [])
      var generator = DifferGenerator(seed: 0)
      guard let program = generator.program(of: pair, above: source) else { return nil }
      return DifferCase(
        name: "\(source), \(pair.map(\.name).joined(separator: ", "))", program: program,
        scripts: scripts(for: program, source: source))
    }
  }

  /// A script without a hook, and one for each hook at each place.
  private static func scripts(for program: DifferProgram, source: String) -> [String] {
    let feed = program.feeds.contains(source) ? source : program.feeds[0]
    let other = program.feeds.first { $0 != feed } ?? feed
    let drive = "send \(feed) 1;send \(other) 2;send \(feed) 4;send \(feed) 5;advance 1;send \(other) 9;finish \(feed)"
    let hooks = [
      "send \(feed) 6", "send \(other) 7", "finish \(feed)", "fail \(feed)", "fail \(other)", "cancel 0", "drop 0",
      "attach 0",
    ]
    // The last operator's closure, the first one's, and the subscriber.
    let sites = Set([program.sites.max(), program.sites.min()].compactMap { $0 }).sorted() + [1000, 1010]
    return [drive]
      + sites.flatMap { site in
        hooks.flatMap { hook in
          // A value that comes with the subscription is the first.
          (site == 1010 ? [1] : [1, 2]).map { "@\(site) \($0) \(hook);\(drive)" }
        }
      }
  }
}

extension DifferGenerator {
  /// A chain of certain operators, if their types can be made to fit.
  mutating func program(of rows: [DifferOperator], above source: String) -> DifferProgram? {
    let needsNever = if case .never = rows[0].takes { true } else { false }
    var chain = DifferChain(id: id(), source: needsNever ? (source == "s0" ? "n0" : "d0") : source)
    for row in rows {
      if case .never = row.takes { adapt(&chain, to: .never) }
      if row.takes != .never, row.takes != .anything, chain.failure == .never { adapt(&chain, to: .fault) }
      if chain.failure == .any, !row.children.isEmpty { adapt(&chain, to: .fault) }
      guard let failure = chain.failure else { return nil }
      let child = failure == .never ? "d1" : "c1"
      var link = DifferLink(id: id(), name: row.name, number: (row.numbers.lowerBound + row.numbers.upperBound + 1) / 2)
      // The second other publisher has no current value.
      for place in row.children.indices {
        let name = place == 0 ? child : failure == .never ? "n1" : "s1"
        link.children.append(DifferChain(id: id(), source: name))
      }
      chain.links.append(link)
    }
    let program = DifferProgram(pipelines: [DifferPipeline(chain: chain, end: "sink", isKept: true)])
    return program.isValid ? program : nil
  }
}
