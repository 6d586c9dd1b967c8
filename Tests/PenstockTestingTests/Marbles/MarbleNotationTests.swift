// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import Testing

@Suite struct MarbleNotationTests {
  /// The events of a line, as "event@step".
  private func events(_ line: String, step: String? = nil) throws -> [String] {
    let diagram = try MarbleDiagram((step.map { "step \($0)\n" } ?? "") + line)
    return diagram.lanes[0].marks.map { "\($0.event)@\($0.step)" }
  }

  @Test func `A character is a step, a bracket is one step, and spaces take no time`() throws {
    #expect(try events("source a-b-|") == ["a@0", "b@2", "|@4"])
    #expect(try events("source  a - [b c|]") == ["a@0", "b@2", "c@2", "|@2"])
    #expect(try events("source --#") == ["#@2"])
    #expect(try events("source a'12'-#'offline'") == ["a@0", "'12'@1", "#'offline'@3"])
    #expect(try events(#"source 'it\'s'-'a\\b\n'"#) == [#"'it\'s'@0"#, #"'a\\b\n'@2"#])
    #expect(try events("source 🍎-é-|") == ["🍎@0", "é@2", "|@4"])
  }

  @Test func `A pause is the distance to the event before, in steps or in time`() throws {
    #expect(try events("source {5}a{3}b") == ["a@5", "b@8"])
    #expect(try events("source a{250ms}b{1s}|", step: "50ms") == ["a@0", "b@5", "|@25"])
    #expect(try events("source a{1.5s}b", step: "500ms") == ["a@0", "b@3"])
    #expect(try events("source a-{2}b{2}{3}c") == ["a@0", "b@3", "c@8"])
    #expect(try events("source a{2min}b") == ["a@0", "b@120"])
  }

  @Test func `Demand is digits, quoted numbers and stars, with subscriptions and cancels`() throws {
    #expect(try events("demand ^2-'12'*-!") == ["^@0", "2@1", "'12'@3", "*@4", "!@6"])
    #expect(try events("demand [12]") == ["1@0", "2@0"])
    let diagram = try MarbleDiagram("demand 2*")
    #expect(diagram.lanes[0].marks.map(\.event) == [.requested(.max(2)), .requested(.unlimited)])
  }

  @Test func `Lines have names, comments are left out, and a label goes into the box`() throws {
    let diagram = try MarbleDiagram(
      """
      // what it shows
      step 10ms
      source    a-b//-c
      > map { $0 }  // no comment here

      expected  a-b
      """)
    #expect(diagram.lanes.map(\.name) == ["source", "expected"])
    #expect(diagram.step == .milliseconds(10))
    #expect(diagram.label == "map { $0 }  // no comment here")
    #expect(diagram.length == 3)
    #expect(diagram["expected"]?.marks.count == 2)
    #expect(diagram["nothing"] == nil)
  }

  @Test func `A diagram prints with its steps below each other, and reads as the same again`() throws {
    let diagram = try MarbleDiagram(
      "step 10ms\nsource ab-c-|\nother {4}'30'-\n> zip\ndemand 2-----\nexpected -[a|]----")
    let printed = diagram.description
    #expect(
      printed == """
        step 10ms
        source    ab   -c-   |
        other     --   --'30'-
        > zip
        demand    2-   ---   -
        expected  -[a|]---   -
        """, "\(printed)")
    #expect(try MarbleDiagram(printed).description == printed)
  }

  @Test func `A long pause in all lines is printed as one`() throws {
    let printed = try MarbleDiagram("source a{40}b{50}\nexpected {20}x{30}y").description
    #expect(
      printed == """
        source    a{20}-{20}b----------{40}
        expected  -{20}x{20}----------y
        """, "\(printed)")
  }

  @Test(arguments: ["source a{40}b{50}\nexpected {20}x{30}y", "source {20}a\nexpected -{30}[ab]{20}"])
  func `What a diagram prints reads as the same steps`(_ text: String) throws {
    let diagram = try MarbleDiagram(text)
    let again = try MarbleDiagram("\(diagram)")
    for (lane, other) in zip(diagram.lanes, again.lanes) {
      #expect(lane.marks.map(\.step) == other.marks.map(\.step), "\(diagram)")
      #expect(lane.length == other.length, "\(diagram)")
    }
  }

  @Test func `A literal has pounds where the text has backslashes`() throws {
    #expect(try MarbleDiagram("source a-|").swiftLiteral == "\"\"\"\nsource  a-|\n\"\"\"")
    #expect(try MarbleDiagram(#"source 'it\'s'"#).swiftLiteral == "#\"\"\"\nsource  'it\\'s'\n\"\"\"#")
  }

  @Test func `Lines made by code read like written ones`() {
    let lane = MarbleLane(
      name: "source", marks: [.init(step: 1, event: .value("10")), .init(step: 2, event: .failed("x"))])
    #expect(lane.description == "source  -'10'#'x'")
    #expect(MarbleDiagram(lanes: [lane], label: "map").description == "source  -'10'#'x'\n> map")
  }
}
