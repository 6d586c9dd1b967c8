// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Penstock
import PenstockOperators
import PenstockOperatorsFoundation
import PenstockTesting
import Scenarios
import Testing

/// Compares the output of the families' systems with the expected text.
@Suite struct FamilyTests {
  private func lines(of name: String) async throws -> [String] {
    try await #require(Scenario.all.first { $0.name == name }).lines()
  }

  // MARK: Combining

  @Test func `A button opens the gate only while both interlocks allow it, at the levels of that moment`() async throws
  {
    let presses = try await lines(of: "combine").prefix(3)
    #expect(presses.map { $0.hasSuffix("opens") } == [false, true, false])
    #expect(presses.last?.contains("[4, 8, 5]") == true)
  }

  @Test func `The mirror that is second is not heard, and neither is any if there is a memory`() async throws {
    let lines = try await lines(of: "combine")
    #expect(lines.count { $0.contains("The south says") } == 1)
    #expect(lines.count { $0.contains("The memory says") } == 1)
    #expect(!lines.contains { $0.contains("The north says") })
  }

  @Test func `The pump runs behind the last gate, whichever is the last`() async throws {
    let gates = try await lines(of: "combine").suffix(7).filter { $0.contains("gate is") || $0.contains("pump runs") }
    #expect(gates.map { $0.split(separator: " ")[2] } == ["upper", "lower", "pump", "lower", "upper", "pump"])
  }

  // MARK: Flattening

  @Test func `Requests that overlap are delivered in order, and unordered where order is not asked for`() async throws {
    let lines = try await lines(of: "order")
    #expect(lines[0].hasSuffix("page 1"))
    #expect(lines[1...3].map { $0.suffix(6) } == ["page 1", "page 2", "page 3"])
  }

  @Test func `The server says when to try again`() async throws {
    #expect(try await lines(of: "order").suffix(3).map { $0.prefix(9) } == ["+0.00000s", "+0.30000s", "+0.80000s"])
  }

  // MARK: Events and shapes

  @Test(arguments: [
    [], [""], ["Package: sluice"], [" no key"],
    ["", "", "a: 1", "b", "a: 2", "", "  ", "ID=debian", "NAME=", "=", ":"],
    ["a", "ab", "abc", "", "abc", "abcd", "a: 1"],
  ])
  func `Operators find what loops find, whatever the lines`(_ text: [String]) async {
    let lines = await Scenario.packageList(of: text).lines()
    #expect(lines.count { $0.hasSuffix("as a loop finds") } == 10)
    #expect(!lines.contains { $0.contains("not what a loop finds") })
  }

  // MARK: Readers of every speed

  @Test(arguments: [
    [], [""], ["Package: sluice"], ["a", "b", "", "", "b", "a", "ab"], Array(repeating: "x", count: 40),
  ])
  func `Chunks, groups and batches are those of loops, whatever the lines`(_ text: [String]) async {
    let lines = await Scenario.listReaders(of: text).lines()
    #expect(lines.count { $0.hasSuffix("as a loop finds") } == 4)
    #expect(!lines.contains { $0.contains("not what a loop finds") })
  }

  @Test func `The list waits for the slow reader, and no line is lost on the way`() async throws {
    let lines = try await lines(of: "readers")
    #expect(
      lines[1...3] == [
        "+0.95000s: the quick reader has all 100 lines", "+0.99000s: the slow reader has all 100 lines",
        "  read ahead: 4 lines",
      ])
    #expect(lines.filter { $0.hasPrefix("Received value") } == ["Received value: 1", "Received value: 99"])
  }

  @Test func `Tasks with one letter never overlap, and file in order`() async throws {
    #expect(
      try await lines(of: "readers").suffix(4) == [
        "  filed: 100 lines", "  in order within each letter: true", "  two tasks with one letter: false",
        "  more than eight at once: false",
      ])
  }

  // MARK: Sources and state

  @Test func `What is opened is closed before the end, and only what was wanted has been read`() async throws {
    let lines = try await lines(of: "sources")
    let ends = lines.indices.filter { lines[$0] == "  finished" }
    #expect(ends.count == 2 && lines.count { $0 == "  opened" } == 2)
    #expect(lines.count { $0 == "  closed" } == 2)
    #expect(lines.contains("  read 3 times"))
    #expect(lines.contains("  all its bytes: true"))
  }

  @Test func `Two readings wait, the oldest is dropped, and the gauge is stopped before the end`() async throws {
    let lines = try await lines(of: "sources")
    #expect(lines.filter { $0.hasPrefix("Received value") }.map { $0.suffix(1) } == ["1", "4", "5", "6"])
    let stop = try #require(lines.firstIndex(of: "  stopped"))
    #expect(lines[stop + 1] == "Received completion: finished")
  }

  @Test func `A latecomer learns what is young, and a basin that only its own assignment knows is released`()
    async throws
  {
    let lines = try await lines(of: "state")
    #expect(lines.count { $0.contains("Late reader") } == 1)
    #expect(lines.last == "  The basin is released at level 4")
  }

  // MARK: Schedulers

  @Test func `A reminder comes after its time, and not before`() {
    let clock = VirtualTimeScheduler<DispatchQueue.SchedulerTimeType, DispatchQueue.SchedulerOptions>(
      now: AnySchedulerOf<DispatchQueue>.immediate.now)
    var reminders: [String] = []
    let cancellable = Reminders(scheduler: clock.eraseToAnyScheduler()).remind(of: "Shut the gate", in: 60)
      .sink { reminders.append($0) }
    clock.advance(by: 59.9)
    #expect(reminders.isEmpty)
    clock.advance(by: 0.1)
    #expect(reminders == ["Shut the gate"])
    cancellable.cancel()
  }

  @Test func `Without a wait no scheduler is used, and with one it is`() async {
    var reminders: [String] = []
    let unused = AnySchedulerOf<DispatchQueue>.unimplemented("of this test", now: .init(.now()))
    let now = Reminders(scheduler: unused).remind(of: "now", in: 0).sink { reminders.append($0) }
    let later = Reminders(scheduler: .immediate).remind(of: "later", in: 1).sink { reminders.append($0) }
    #expect(reminders == ["now", "later"])
    for cancellable in [now, later] { cancellable.cancel() }
    await #expect(processExitsWith: .failure) {
      let unused = AnySchedulerOf<DispatchQueue>.unimplemented("of this test", now: .init(.now()))
      _ = Reminders(scheduler: unused).remind(of: "later", in: 1).sink { _ in }
    }
  }
}
