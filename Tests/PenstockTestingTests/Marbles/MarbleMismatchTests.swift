// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import Testing

@Suite struct MarbleMismatchTests {
  private func failure(
    _ text: String, _ build: (MarbleBench<VirtualTime, Never>) throws -> some Publisher
  ) throws -> String {
    try #require(throws: MarbleMismatch.self) { try MarbleDiagram(text).verify(build) }.description
  }

  @Test func `A failure is both diagrams with a caret at the difference, and the diagram to paste`() throws {
    let text = try failure(
      """
      source    a-b-c-d-|
      demand    2-----*--
      expected  a-b---[cd]-|
      """
    ) { $0.source() }
    #expect(
      text == """
        step 6: “expected” has c, d here, and d came

          source    a-b-c-d   -|
          demand    2-----*   --
          expected  a-b---[cd]-|
          received  a-b---d   -|
                           ^

        source: c was not requested, and dropped (step 4)

        If that is right, the diagram is

          \"""
          source    a-b-c-d-|
          demand    2-----*--
          expected  a-b---d-|
          \"""
        """, "\(text)")
  }

  @Test func `The caret is at the event of a group that differs`() throws {
    let text = try failure("source [abc]\nexpected [abx]") { $0.source() }
    #expect(text.contains("  received  [abc]\n               ^\n"), "\(text)")
    let missing = try failure("source [ab]\nexpected [abx]") { $0.source() }
    #expect(missing.contains("  received  [ab]\n               ^\n"), "\(missing)")
  }

  @Test func `The first difference in time counts, whichever line it is in`() throws {
    let text = try failure(
      "source a-b-c\nexpected a-b-x\nexpected.two A-X-C"
    ) { bench in
      bench.subscribe("two", to: bench.source().map { $0.uppercased() })
      return bench.source()
    }
    #expect(text.hasPrefix("step 2: “expected.two” has X here, and B came"), "\(text)")
    #expect(text.contains("received      a-b-c\n"), "\(text)")
    #expect(text.contains("received.two  A-B-C\n                  ^"), "\(text)")
  }

  @Test func `A difference in demand is shown in the line of the demand`() throws {
    let text = try failure("source ab\nsource.demand 2-\ndemand 3-\nexpected ab") { $0.source() }
    #expect(text.hasPrefix("step 0: “source.demand” has 2 here, and 3 came"), "\(text)")
    #expect(text.contains("  source.demand  2-\n  (received)     3-\n                 ^\n"), "\(text)")
  }

  @Test func `Time is given where a step is no second`() throws {
    let text = try failure("step 20ms\nsource a-b\nexpected a--") { $0.source() }
    #expect(text.hasPrefix("step 2 (40ms): “expected” has nothing here, and b came"), "\(text)")
  }

  @Test func `What a failure prints is right when it is pasted`() throws {
    let text = "source a-b-'long one'-#'x'\ndemand 1--5\nexpected x"
    let error = try #require(throws: MarbleMismatch.self) {
      try MarbleDiagram(text).verify { $0.source().buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest) }
    }
    let pasted = try MarbleDiagram("\(error.received)")
    try pasted.verify { $0.source().buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest) }
  }

  @Test func `A source that was subscribed to at other steps is printed with its runs from there`() throws {
    let retry = { (bench: MarbleBench<VirtualTime, Never>) in
      bench.source().catch { _ in
        Just("").delay(for: 2, scheduler: bench.scheduler).setFailureType(to: MarbleFailure.self)
          .flatMap { _ in bench.source() }
      }
    }
    let error = try #require(throws: MarbleMismatch.self) {
      try MarbleDiagram("source ^1#------^3|\nexpected -1-------3|").verify(retry)
    }
    #expect(error.received["source"]?.description == "source  ^1#-^3|-----", "\(error)")
    try MarbleDiagram("\(error.received)").verify(retry)
  }

  @Test func `A source that was cancelled is printed up to there`() throws {
    let error = try #require(throws: MarbleMismatch.self) {
      try MarbleDiagram("source ^1-2-3|\nexpected -1-[2|]").verify { $0.source().prefix(2) }
    }
    #expect(error.received["source"]?.description == "source  ^1-[2!]---", "\(error)")
  }

  @Test func `A recording is valid as an expectation, over a long time as well`() throws {
    let diagram = try MarbleDiagram("step 10ms\nsource a{3s}b-c|\nexpected.late {2s}^")
    let recorded = try diagram.record { $0.source().delay(for: .milliseconds(50), scheduler: $0.scheduler).share() }
    #expect(recorded.lanes.map(\.name) == ["source", "expected.late"])
    try MarbleDiagram("\(recorded)").verify {
      $0.source().delay(for: .milliseconds(50), scheduler: $0.scheduler).share()
    }
  }

  // MARK: What was dropped

  @Test func `A value that was not requested is named where it may be what is missing`() throws {
    let text = try failure("source 1-2-3\ndemand 1---1\nexpected 1-2-3") { $0.source() }
    #expect(
      text.contains("\n\nsource: 2 was not requested, and dropped (step 2)\n\nIf that is right"), "\(text)")
    let zipped = try failure("a 123\nb x-y\ndemand 1-1\nexpected '1x'-'2y'") { bench in
      bench.source("a").zip(bench.source("b")).map { $0 + $1 }
    }
    #expect(zipped.contains("\na: 2 was not requested, and dropped (step 1)\n"), "\(zipped)")
  }

  @Test func `What is dropped behind the difference, or by a source that waits, is not named`() throws {
    #expect(try !failure("source a-b-c\ndemand 1\nexpected x") { $0.source() }.contains("dropped"))
    #expect(try !failure("source ^a-b-c\ndemand 1\nexpected -a-b") { $0.source() }.contains("dropped"))
    #expect(try !failure("source a-b\nexpected a-c") { $0.source() }.contains("dropped"))
    #expect(try !failure("source ab-\nexpected --[^a]") { $0.source() }.contains("dropped"))
  }

  @Test func `A value that another subscriber has got is dropped for some`() throws {
    let text = try failure("source a-b\nexpected a-b\ndemand.slow 1\nexpected.slow a-b") { $0.source() }
    #expect(text.contains("source: b was not requested by each subscriber, and dropped for those"), "\(text)")
  }

  @Test func `Of many values that were dropped, the last ones are named`() throws {
    let source = String(repeating: "a", count: 50)
    let text = try failure("source \(source)b\ndemand 1\nexpected a\(String(repeating: "-", count: 49))b") {
      $0.source()
    }
    #expect(text.contains("\n… 42 more were dropped before\nsource: a was not requested"), "\(text)")
    #expect(text.contains("source: b was not requested, and dropped (step 50)"), "\(text)")
  }

  // MARK: Long diagrams

  @Test(arguments: [0, 1, 50, 1000, 1998, 1999])
  func `Of a long diagram, what surrounds the difference is shown`(_ step: Int) throws {
    let letters = (0..<2000).map { Array("abcdefghij")[$0 % 10] }
    var wrong = letters
    wrong[step] = "x"
    let text = try failure("source  \(String(letters))\nexpected  \(String(wrong))") { $0.source() }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines.count < 12, "\(text)")
    for line in lines { #expect(line.count <= 100, "\(line)") }
    let caret = try #require(lines.firstIndex { $0.hasSuffix("^") })
    let place = lines[caret].count - 1
    #expect(Array(lines[caret - 1])[place] == letters[step] && Array(lines[caret - 2])[place] == "x", "\(text)")
    #expect(lines[caret - 3].contains("…") && lines[caret - 2].contains("…"), "\(text)")
    #expect(text.contains("what `received` of this error prints, in 2010 columns"), "\(text)")
  }

  @Test func `A line that ends before what is shown has nothing there`() throws {
    let long = String(repeating: "a", count: 300)
    let text = try failure("source  \(long)\nother  b|\nexpected  \(long.dropLast())x") { bench in
      bench.source().merge(with: bench.source("other").filter { _ in false })
    }
    #expect(text.contains("\n  other     …\n"), "\(text)")
  }

  @Test func `One step that is wider than a line is shown around the event that differs`() throws {
    let group = String(repeating: "ab", count: 200)
    let text = try failure("source  [\(group)c]\nexpected  [\(group)x]") { $0.source() }
    #expect(
      text.hasPrefix("step 0: “expected” has …, a, b, a, b, x (401 in all) here, and …, a, b, a, b, c (401 in all)"),
      "\(text)")
    let lines = text.split(separator: "\n").map(String.init)
    let caret = try #require(lines.firstIndex { $0.hasSuffix("^") })
    #expect(Array(lines[caret - 1])[lines[caret].count - 1] == "c", "\(text)")
    for line in lines { #expect(line.count <= 100, "\(line)") }
  }

  @Test func `Wide letters are cut where they are whole`() throws {
    let apples = String(repeating: "🍎", count: 100)
    let text = try failure("source  \(apples)🍏\nexpected  \(apples)🍊") { $0.source() }
    let lines = text.split(separator: "\n").map(String.init)
    let caret = try #require(lines.firstIndex { $0.hasSuffix("^") })
    let wide = lines[caret - 1].reduce(0) { $0 + ("🍎🍏🍊".contains($1) ? 2 : 1) }
    #expect(wide <= 100 && lines[caret - 1].hasSuffix("🍏") && lines[caret].count == wide - 1, "\(text)")
  }
}
