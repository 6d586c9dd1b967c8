// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockTesting
import Testing

/// A text with a mistake: what the error says, with a caret below the place.
private struct Mistake: CustomTestStringConvertible, Sendable {
  let text: String
  let caret: String
  let problem: String
  let allowed: String

  var testDescription: String { text }

  init(_ text: String, _ caret: String, _ problem: String, _ allowed: String) {
    (self.text, self.caret, self.problem, self.allowed) = (text, caret, problem, allowed)
  }

  static let all = [
    Mistake("source a-(bc)", "         ^", "written in square brackets", "a value"),
    Mistake("source a-b|-c", "            ^", "has ended before", "“-” or {…}"),
    Mistake("source ^a^", "         ^", "subscription before goes on", "“|”"),
    Mistake("source [ab", "       ^", "not closed", "“]”"),
    Mistake("source a[]", "         ^", "is empty", "an event before"),
    Mistake("source [a-b]", "         ^", "one step", "“]”"),
    Mistake("source ab]", "         ^", "nothing was opened", "[ ]"),
    Mistake("source “a”", "       ^", "typographic quotation mark: write '", "a value"),
    Mistake("source a-’b’", "         ^", "the mark itself as '’'", "text in single quotes"),
    Mistake("source 'a’-|", "         ^", "“’” closes no text", "a “'” behind"),
    Mistake("source a—b", "        ^", "write -, or -- where it stands for two", "“-”"),
    Mistake("source a-–b", "         ^", "typographic dash: write -", "“-”"),
    Mistake("source a−", "        ^", "the dash itself as '−'", "“-”"),
    Mistake("demand 1—1", "        ^", "“—” is no demand; it is a typographic dash", "“-”"),
    Mistake("expected #‘x’", "          ^", "typographic quotation mark", "a value"),
    Mistake("source a#''", "         ^", "name of the failure is empty", "“#” alone"),
    Mistake("source'' a", "      ^", "“'” is no part of one", "then a space"),
    Mistake("source a{5b", "        ^", "not closed", "“}”"),
    Mistake("source a{x}b", "         ^", "no length", "10ms"),
    Mistake("source a{0}b", "         ^", "no length", "from 1 on"),
    Mistake("source a{250ms}b", "         ^", "no whole number of steps, which take 1s", "a multiple of 1s"),
    Mistake("source a{9999999}b", "         ^", "more than 1000000 steps", "shorter pause"),
    Mistake("source a'bc", "        ^", "in quotes is not closed", "“'”"),
    Mistake(#"source 'a\q'"#, #"         ^"#, "nothing is written", #"\n"#),
    Mistake("source a*b", "        ^", "a line of its own, called “demand”", "a value"),
    Mistake("source a,b", "        ^", "a line of its own", "a value"),
    Mistake("source a;", "        ^", "“!” cancels", "a value"),
    Mistake("source a-^b", "       ^", "this comes before", "“^”"),
    Mistake("source ^a!b", "          ^", "cancelled before", "“^” for one more"),
    Mistake("source ^a-^b", "          ^", "goes on", "before the next"),
    Mistake("demand 2-x", "         ^", "“x” is no demand", "a digit"),
    Mistake("demand 2-|", "         ^", "wants no more is written “!”", "“*”"),
    Mistake("demand 'ab'", "       ^", "no number of values", "digits in the quotes"),
    Mistake("demand 2!1", "         ^", "cancelled before", "“-”"),
    Mistake("expected a|b", "           ^", "has ended before", "“-”"),
    Mistake("a-b-|", " ^", "“-” is no part of one", "then a space"),
    Mistake("source", "      ^", "no events", "events after a space"),
    Mistake("step fast", "     ^", "length of a step is missing", "10ms"),
    Mistake("other.demand 2", "^", "no line “other”", "“demand” for a subscriber"),
    Mistake("// nothing", "^", "no line with events", "a name and events"),
  ]
}

@Suite struct MarbleSyntaxTests {
  @Test(arguments: Mistake.all)
  fileprivate func `A mistake is shown with a caret below it, and with what is allowed there`(_ mistake: Mistake) throws
  {
    let error = try #require(throws: MarbleSyntaxError.self) { try MarbleDiagram(mistake.text) }
    #expect(error.problem.contains(mistake.problem), "\(error)")
    #expect(error.allowed.contains(mistake.allowed), "\(error)")
    let lines = error.description.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[2] == "  \(mistake.text)")
    #expect(lines[3] == "  \(mistake.caret)")
  }

  @Test func `The place is counted in lines and columns from 1`() throws {
    let error = try #require(throws: MarbleSyntaxError.self) {
      try MarbleDiagram("source  a-|\n\nexpected  a-|-b")
    }
    #expect(error.line == 3 && error.column == 15)
    #expect(
      error.description == """
        line 3, column 15: the stream has ended before

          expected  a-|-b
                        ^
        allowed here: “-” or {…}
        """)
  }

  @Test func `In a file, the place is said once and as compilers say it`() throws {
    let error = try #require(throws: MarbleSyntaxError.self) { try MarbleDiagram("source  a-(b)") }
    #expect(
      error.description(inFile: "search.txt") == """
        search.txt:1:11: “(” is no event; a group is written in square brackets, as in [ab]

          source  a-(b)
                    ^
        allowed here: \(error.allowed)
        """)
  }

  @Test func `Typographic marks are values in quotes, and printed so`() throws {
    let diagram = try MarbleDiagram("source '“'-'—'-'it’s'")
    #expect(diagram.lanes[0].marks.map(\.event) == [.value("“"), .value("—"), .value("it’s")])
    #expect(diagram.lanes[0].description == "source  '“'-'—'-'it’s'")
  }

  @Test func `Quotes with nothing between them are the empty text`() throws {
    let diagram = try MarbleDiagram("source ''-a")
    #expect(diagram.lanes[0].marks.map(\.event) == [.value(""), .value("a")])
    try MarbleDiagram("source ''-a\nexpected ''-''").verify { $0.source().map { _ in "" } }
  }

  @Test func `The caret stands below the place behind wide characters`() throws {
    let error = try #require(throws: MarbleSyntaxError.self) { try MarbleDiagram("source 🍎(") }
    #expect(error.description.contains("\n  source 🍎(\n           ^\n"))
  }

  @Test func `A subscriber cancels in one of its lines`() throws {
    let error = try #require(throws: MarbleSyntaxError.self) {
      try MarbleDiagram("source a-b\ndemand *-!\nexpected a--!")
    }
    #expect(error.line == 3 && error.column == 13 && error.problem == "“!” is in the line “demand”, too")
  }

  @Test func `Two lines with one name are a mistake`() throws {
    let error = try #require(throws: MarbleSyntaxError.self) { try MarbleDiagram("source a\nsource b") }
    #expect(error.line == 2 && error.problem.contains("two lines called “source”"))
  }
}
