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
}
