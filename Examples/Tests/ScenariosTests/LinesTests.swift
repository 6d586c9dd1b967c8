// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Scenarios
import Testing

@Suite struct LinesTests {
  private func lines(_ name: String) throws -> [String] {
    let scenario = try #require(Scenario.all.first { $0.name == name })
    var lines: [String] = []
    scenario.run { lines.append($0) }
    return lines
  }

  @Test func `Names are unique, and headings there`() {
    #expect(Set(Scenario.all.map(\.name)).count == Scenario.all.count)
    #expect(Scenario.all.allSatisfy { !$0.heading.isEmpty })
  }

  @Test func `unwrap prints what is there`() throws {
    #expect(try lines("unwrap") == (1...4).map { "Received value: \($0)" })
  }

  @Test func `Fibonacci prints ten numbers, one number, the first five of all, and three and then two of five`() throws
  {
    let lines = try lines("fibonacci")
    #expect(lines[0] == "0 1 1 2 3 5 8 13 21 34")
    #expect(lines[1] == "0")
    #expect(
      lines[2...13] == [
        "The first five of all there are:",
        "fibonacci: receive subscription: (Fibonacci)",
        "fibonacci: request unlimited",
        "fibonacci: receive value: (0)", "0",
        "fibonacci: receive value: (1)", "1",
        "fibonacci: receive value: (1)", "1",
        "fibonacci: receive value: (2)", "2",
        "fibonacci: receive value: (3)",
      ])
    #expect(lines[14...15] == ["3", "fibonacci: receive cancel"])
    #expect(lines.filter { $0.contains("receive cancel") }.count == 1)
    #expect(
      lines[16...] == [
        "Three of five, and then two more:",
        "Asking for max(3)", "Received value: 0", "Received value: 1", "Received value: 1",
        "Asking for max(2)", "Received value: 2", "Received value: 3",
        "Received completion: finished",
      ])
  }

  @Test func `A future's work runs once, a deferred one's for everyone`() throws {
    let completions = Array(repeating: "Received completion: failure(failed)", count: 3)
    #expect(
      try lines("future")
        == ["The future's work has run 1 time, before anybody has subscribed"] + completions
        + ["The future's work has run 1 time for 3 subscribers"]
        + ["The deferred future's work has run 0 times, before anybody has subscribed"] + completions
        + ["The deferred future's work has run 3 times for 3 subscribers"])
  }

  @Test func `print shows both sides of prefix`() throws {
    #expect(
      try lines("print") == [
        "above: receive subscription: (PassthroughSubject)",
        "below: receive subscription: (Output)",
        "below: request unlimited",
        "above: request unlimited",
        "above: receive value: (gate)", "below: receive value: (gate)", "Received value: gate",
        "above: receive value: (pipe)", "below: receive value: (pipe)", "Received value: pipe",
        "above: receive cancel",
        "below: receive finished",
        "Received completion: finished",
      ])
  }

  @Test func `A subscriber gets what it has asked for`() throws {
    #expect(
      try lines("demand") == [
        "numbers: receive subscription: (1...4)",
        "Asking for max(1)", "numbers: request max: (1)", "numbers: receive value: (1)", "Received value: 1",
        "Asking for max(2)", "numbers: request max: (2)", "numbers: receive value: (2)", "Received value: 2",
        "numbers: receive value: (3)", "Received value: 3",
        "Asking for unlimited", "numbers: request unlimited", "numbers: receive value: (4)", "Received value: 4",
        "numbers: receive finished", "Received completion: finished",
      ])
  }
}
