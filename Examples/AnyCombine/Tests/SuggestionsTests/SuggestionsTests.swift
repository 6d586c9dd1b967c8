// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import Synchronization
import Testing

@testable import Suggestions

@Suite struct SuggestionsTests {
  struct Offline: Error {}

  /// A service that is offline for a number of attempts.
  final class Service: Sendable {
    private let log = Mutex<[String]>([])
    private let failures: Int

    init(failures: Int = 0) { self.failures = failures }

    var asked: [String] { log.withLock { $0 } }

    func find(_ text: String) throws -> [String] {
      let attempt = log.withLock { log in
        log.append(text)
        return log.count
      }
      if attempt <= failures { throw Offline() }
      return ["\(text) \(attempt)"]
    }
  }

  @Test func `It asks once the user has stopped typing, and not before`() async {
    let (time, service) = (DispatchQueue.test, Service())
    let box = Suggestions(scheduler: time, clock: time.clock, executor: time.executor) { try service.find($0) }
    box.typed.send("Ga")
    await time.advance(by: .milliseconds(200))
    box.typed.send("Gate")
    await time.advance(by: .milliseconds(299))
    #expect(service.asked == [])
    await time.advance(by: .milliseconds(1))
    #expect(service.asked == ["Gate"] && box.shown.value == ["Gate 1"])
  }

  @Test func `It asks again a second after a failure`() async {
    let (time, service) = (DispatchQueue.test, Service(failures: 2))
    let box = Suggestions(scheduler: time, clock: time.clock, executor: time.executor) { try service.find($0) }
    box.typed.send("Gate")
    await time.advance(by: .milliseconds(300))
    #expect(service.asked.count == 1 && box.shown.value == [])
    await time.advance(by: .milliseconds(999))
    #expect(service.asked.count == 1)
    await time.advance(by: .milliseconds(1))
    #expect(service.asked.count == 2 && box.shown.value == [])
    await time.advance(by: .seconds(1))
    #expect(service.asked.count == 3 && box.shown.value == ["Gate 3"])
  }

  @Test func `What has come too late is not shown`() async throws {
    let time = VirtualTimeScheduler()
    let box = Suggestions(scheduler: time, clock: time.clock, executor: time.executor) { [clock = time.clock] text in
      // The shorter the text, the longer the search.
      try await clock.sleep(for: .seconds(10 - text.count))
      return [text]
    }
    let shown = box.shown.dropFirst().record(timedBy: time, atEnd: [])
    box.typed.send("Ga")
    await time.advance(by: 5)
    box.typed.send("Gate")
    await time.advance(by: 20)
    #expect(shown.timed == [.value(["Gate"], at: 11.3)])
  }

  @Test func `A text counts when it has been left alone, and once`() throws {
    try MarbleDiagram(
      """
      step      100ms
      source    a-b-c-----c-----d---
      expected  -------c-----------d
      """
    ).verify { Suggestions.settled($0.source(failures: .none), scheduler: $0.scheduler) }
  }
}
