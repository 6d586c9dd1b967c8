// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators

/// A line of a list of packages that has a key, as `Version: 1.2` or `ID=debian` do.
private struct Field: Equatable {
  let key: String
  let value: String

  /// Returns the field in a line, or the line itself, which is then the rest of a longer value, or the end of a
  /// paragraph.
  static func parse(_ line: String) -> Result<Field, OtherLine> {
    guard let separator = line.firstIndex(where: { $0 == ":" || $0 == "=" }), line.first?.isWhitespace == false else {
      return .failure(OtherLine(text: line))
    }
    let value = line[line.index(after: separator)...].drop(while: \.isWhitespace)
    return .success(Field(key: String(line[..<separator]), value: String(value)))
  }
}

/// A line without a key.
private struct OtherLine: Error, Equatable {
  let text: String
}

extension Scenario {
  static let packageList = packageList(of: MachineText.lines)

  /// Reads lines with operators and with loops, and prints whether both have the same results.
  ///
  /// - Parameter lines: The lines; in the tour, those of a file that the machine has.
  public static func packageList(of lines: [String]) -> Scenario {
    Scenario(name: "lines", heading: "Events and shapes: the machine's own list of packages, beside loops") { page, _ in
      page.print("Lines with a key, and other lines; these do not end a stream of events:")
      page.compareEvents(of: lines)
      page.print("What the lines are like:")
      page.compareShapes(of: lines)
    }
  }
}

extension Page {
  /// Prints whether a publisher has published what a loop has found.
  func compare<Value: Equatable>(
    _ text: String, _ publisher: some Publisher<Value, Never>, _ loop: [Value]
  ) {
    let cancellable = publisher.collect().sink { found in
      self.print("  \(text): \(found == loop ? "as a loop finds" : "not what a loop finds")")
    }
    cancellable.cancel()
  }

  fileprivate func compareEvents(of lines: [String]) {
    var (fields, others, firstResults): ([Field], [OtherLine], [Result<Field, OtherLine>]) = ([], [], [])
    for line in lines {
      let result = Field.parse(line)
      if others.isEmpty { firstResults.append(result) }
      switch result {
      case .success(let field): fields.append(field)
      case .failure(let other): others.append(other)
      }
    }

    let events = lines.publisher.flatMap { Field.parse($0).publisher.materialize() }
    compare("materialize and values, the fields", events.values(), fields)
    compare("materialize and failures, the other lines", events.failures(), others)

    let strict = lines.publisher.setFailureType(to: OtherLine.self).flatMap { Field.parse($0).publisher }
    compare("mapToResult, the fields up to the first other line, and that", strict.mapToResult(), firstResults)
    compare("ignoreFailure, the fields up to there", strict.ignoreFailure(), firstResults.compactMap { try? $0.get() })
  }

  fileprivate func compareShapes(of lines: [String]) {
    var (words, beginnings, numbers, longer, top): ([String], [String], [Int], [Int], [String]) = ([], [], [], [], [])
    var (seen, counts): (Set<String>, [String: Int]) = ([], [:])
    for (number, line) in lines.enumerated() {
      let word = String(line.prefix { $0.isLetter })
      if seen.insert(word).inserted { words.append(word) }
      counts[word, default: 0] += 1
      if !line.isEmpty, number == 0 || lines[number - 1].isEmpty { beginnings.append(line) }
      if line.isEmpty { numbers.append(number) }
      if number > 1, line.count > lines[number - 1].count, lines[number - 1].count > lines[number - 2].count {
        longer.append(line.count)
      }
      if numbers.isEmpty || numbers == [number] { top.append(line) }
    }

    let stream = lines.publisher
    let firstWords = stream.map { String($0.prefix { $0.isLetter }) }
    let counting = firstWords.scan(into: [:]) { (counts: inout [String: Int], word) in counts[word, default: 0] += 1 }
    let neighbours = stream.combinePrevious("").filter { before, line in before.isEmpty && !line.isEmpty }
    let empty = stream.enumerated().filter { $0.element.isEmpty }
    let growing = stream.map { $0.count }.nwise(3)
      .filter { (three: [Int]) in three[0] < three[1] && three[1] < three[2] }

    compare("removeAllDuplicates, the words that lines begin with", firstWords.removeAllDuplicates(), words)
    compare("scan(into:), how often each of them does", counting.takeLast(1), counts.isEmpty ? [] : [counts])
    compare("combinePrevious, the first line of each paragraph", neighbours.map { $1 }, beginnings)
    compare("enumerated, the numbers of the empty lines", empty.map { $0.index }, numbers)
    compare("nwise, the third of three lines that get longer", growing.map { three in three[2] }, longer)
    compare(
      "prefix(while:behavior:), the first paragraph, and the line that ends it",
      stream.prefix(while: { !$0.isEmpty }, behavior: .inclusive), top)
  }
}
