// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import Testing

private enum Fault: Error { case oops }

@Suite struct RecordingTests {
  @Test func `Both roads of demand are in the ledger`() throws {
    let recording = (1...9).publisher.record(demand: .max(1).returning(.max(2), after: 1).request(.max(1), after: 3))
    #expect(recording.values == [1, 2, 3, 4])
    #expect(recording.ledger.requested == .max(2))
    #expect(recording.ledger.returned == .max(2))
    try recording.expect(demand: .max(4), delivered: 4)
    recording.cancel()
    try recording.finish()
  }

  @Test func `A script cancels during a value`() throws {
    let recording = (1...9).publisher.record(demand: .unlimited.cancel(after: 3))
    #expect(recording.values == [1, 2, 3])
    #expect(recording.cancels == 1)
    #expect(!recording.isLive)
    try recording.finish()
  }

  @Test func `Events are read in order, and an expectation that fails shows what came`() throws {
    let recording = (1...3).publisher.record()
    try recording.expectNext(1, 2)
    let failure = #expect(throws: TestFailure.self) { try recording.expectNext(4) }
    #expect(failure?.message.contains("Expected the next values to be 4, but there came: 3") == true)
    #expect(failure?.message.contains("→ value 2") == true)
    try recording.expectFinished()
    try recording.expectNothing()
    try recording.finish()
  }

  @Test func `A failure is read as one, and returned`() throws {
    let recording = Fail<Int, Fault>(error: .oops).record()
    #expect(throws: TestFailure.self) { try recording.finish() }
    #expect(try recording.expectFailure() == Fault.oops)
    try recording.finish()
    let finished = Empty<Int, Fault>().record()
    let failure = #expect(throws: TestFailure.self) { _ = try finished.expectFailure() }
    #expect(failure?.message.contains("there came: finished") == true)
    try finished.finish()
  }

  @Test func `What a test leaves is named at the end, each kind by itself`() {
    let subject = PassthroughSubject<Int, Fault>()
    let recording = subject.record()
    subject.send(1)
    var failure = #expect(throws: TestFailure.self) { try recording.finish() }
    #expect(failure?.message.contains("1 unread value: 1; the subscription is still alive") == true)
    _ = recording.values
    subject.send(completion: .failure(.oops))
    failure = #expect(throws: TestFailure.self) { try recording.finish() }
    #expect(failure?.message.contains("an unread failure: oops") == true)
    #expect(failure?.message.contains("unread value") == false)
    #expect(recording.completion == .failure(.oops))
    #expect(throws: Never.self) { try recording.finish() }
    #expect(throws: Never.self) { try subject.record(atEnd: []).finish() }
  }

  @Test func `An unread end counts only where that is wanted`() {
    #expect(throws: Never.self) { try Empty<Int, Never>().record().finish() }
    #expect(throws: TestFailure.self) { try Empty<Int, Never>().record(atEnd: .finished).finish() }
  }

  @Test func `A broken rule fails the test at the end`() {
    let recording = MisbehavingPublisher([1, 2], .overflows).record(demand: .max(1))
    _ = recording.values
    let failure = #expect(throws: TestFailure.self) { try recording.finish() }
    #expect(failure?.message.contains("P-03") == true)
    #expect(failure?.message.contains("◀ 1 more than granted") == true)
    #expect(throws: TestFailure.self) { try recording.expectRulesKept() }
  }

  @Test func `A recording that is released unread makes the process fail at its end, with file and line`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Just(7).record()
      print("goes on")
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("RecordingTests.swift:"))
    #expect(text.contains("error: A recording ended with 1 unread value: 7"))
  }

  @Test func `A handler gets what cannot be thrown`() async {
    await #expect(processExitsWith: .success) {
      nonisolated(unsafe) var messages: [String] = []
      TestFailure.handle { messages.append($0.message) }
      let upstream = TestPublisher<Int, Never>()
      do { _ = upstream.record(demand: .none) }
      upstream.send(1)
      #expect(messages.count == 1)
      #expect(messages[0].contains("still alive"))
      #expect(upstream.cancels == 1, "a recording that is released cancels")
    }
  }

  @Test func `Waiting ends with the value, and needs none of the time`() async throws {
    let subject = PassthroughSubject<Int, Never>()
    let recording = subject.record()
    let sender = Task { for number in 1...4 { subject.send(number) } }
    #expect(try await recording.next(3) == [1, 2, 3])
    #expect(try await recording.next() == [4])
    await sender.value
    subject.send(completion: .finished)
    #expect(try await recording.end() == .finished)
    try recording.finish()
  }

  @Test func `Waiting ends with the stream, the task or the cap, and says what came`() async throws {
    let recording = [1, 2].publisher.record()
    var failure = await #expect(throws: TestFailure.self) { try await recording.next(3) }
    #expect(failure?.message.contains("Expected 3 values, but there came: 1, 2, finished") == true)
    _ = recording.events

    let endless = PassthroughSubject<Int, Never>().record(atEnd: [])
    failure = await #expect(throws: TestFailure.self) { try await endless.next(within: .zero) }
    #expect(failure?.message.contains("within 0.0 seconds") == true)

    let waiting = Task { try await endless.next() }
    waiting.cancel()
    failure = await #expect(throws: TestFailure.self) { try await waiting.value }
    #expect(failure?.message.contains("the task was cancelled") == true)
  }

  @Test func `Late events, depth and threads are told`() {
    let late = MisbehavingPublisher([1, 2], .valueAfterCompletion).record(atEnd: [])
    #expect(late.lateEvents.map(\.description) == ["→ value 1"])
    let deep = MisbehavingPublisher(Array(1...4), .recurses)
      .record(demand: .max(1).request(.max(1), after: 1).request(.max(1), after: 2), atEnd: [])
    #expect(deep.maxDepth == 3)
    #expect((1...4).publisher.record(atEnd: []).maxDepth == 1)
    #expect(deep.threads == 1)
  }

  @Test func `A trace shows nesting, the road of demand and the running sums`() {
    let recording = (1...2).publisher.record(demand: .max(1).request(.max(1), after: 1), atEnd: [])
    let lines = recording.trace.description.split(separator: "\n").map {
      $0.split(separator: " ").joined(separator: " ")
    }
    #expect(
      lines == [
        "# thread call granted delivered",
        "1 0 → subscription 1...2 0 0",
        "2 0 ← request(1) 1 0",
        "3 0 → value 1 1 1",
        "4 0 ← request(1) 2 1",
        "5 0 → value 2 2 2",
        "6 0 → finished 2 2",
      ])
  }

  @Test func `A wait that no clock can count lasts until something comes`() async throws {
    let subject = PassthroughSubject<Int, Fault>()
    let recording = subject.record()
    let waiting = Task { try await recording.next(within: .seconds(Int64.max)) }
    let ending = Task { try await recording.end(within: .seconds(Int64.max)) }
    subject.send(1)
    #expect(try await waiting.value == [1])
    subject.send(completion: .finished)
    #expect(try await ending.value == .finished)
    try recording.finish()
  }
}
