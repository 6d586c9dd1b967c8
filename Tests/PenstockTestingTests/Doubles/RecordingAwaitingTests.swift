// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import Testing

private enum Fault: Error { case oops }

@Suite(.timeLimit(.minutes(5))) struct RecordingAwaitingTests {
  private let subject = PassthroughSubject<Int, Fault>()

  /// Sends from a task, so that the test has to wait.
  private func send(_ values: [Int], then completion: Subscribers.Completion<Fault>? = nil) -> Task<Void, Never> {
    Task { [subject] in
      for value in values { subject.send(value) }
      if let completion { subject.send(completion: completion) }
    }
  }

  @Test func `Values are awaited, and compared, judged, looked at or skipped`() async throws {
    let recording = subject.record()
    let sender = send(Array(1...7), then: .finished)
    try await recording.expectNext(1, 2, within: .seconds(60))
    #expect(try await recording.expectNext(within: .seconds(60), where: { $0 == 3 }) == 3)
    try await recording.expectNext(within: .seconds(60)) { $0 == 4 }
    try await recording.expectNext(within: .seconds(60)) { value in #expect(value == 5) }
    try await recording.skip(2, within: .seconds(60))
    try await recording.expectFinished(within: .seconds(60))
    await sender.value
    try recording.finish()
  }

  @Test func `A failure is awaited`() async throws {
    let (first, second) = (subject.record(), subject.record())
    let sender = send([], then: .failure(.oops))
    #expect(try await first.expectFailure(within: .seconds(60)) == .oops)
    try await second.expectFailure(within: .seconds(60)) { $0 == .oops }
    await sender.value
  }

  @Test func `The cap is named by what was awaited, and the recording by its name`() async throws {
    let recording = subject.record("idle", atEnd: [])
    func words(_ body: () async throws -> Void) async -> String {
      do { try await body() } catch { return (error as? TestFailure)?.message ?? "\(error)" }
      return "nothing"
    }
    #expect(
      await words { try await recording.expectNext(1, within: .zero) }
        .hasPrefix("idle: Expected the next values to be 1 within 0.0 seconds, but nothing more came"))
    #expect(
      await words { try await recording.expectNext(within: .zero) { $0 == 1 } }
        .hasPrefix("idle: Expected a value within 0.0 seconds, but"))
    #expect(
      await words { try await recording.skip(2, within: .zero) }
        .hasPrefix("idle: Expected 2 values to skip within 0.0 seconds, but"))
    #expect(
      await words { try await recording.expectFinished(within: .zero) }
        .hasPrefix("idle: Expected the stream to have finished within 0.0 seconds, but"))
    #expect(
      await words { try await recording.expectFailure(within: .zero) }
        .hasPrefix("idle: Expected the stream to have failed within 0.0 seconds, but"))
    #expect(subject.record(atEnd: []).isLive)
  }

  @Test func `A wait ends with the stream, and says what came`() async {
    let recording = subject.record(atEnd: [])
    let sender = send([1], then: .finished)
    let failure = await #expect(throws: TestFailure.self) {
      try await recording.expectNext(1, 2, within: .seconds(60))
    }
    #expect(failure?.message.contains("Expected the next values to be 1, 2, but there came: 1, finished") == true)
    await sender.value
  }

  @MainActor @Test func `The closures run on the caller's actor, and may use its state`() async throws {
    let recording = subject.record(atEnd: [])
    var seen: [Int] = []
    let sender = send([1, 2])
    try await recording.expectNext(within: .seconds(60)) { value in
      MainActor.assertIsolated()
      seen.append(value)
    }
    try await recording.expectNext(within: .seconds(60)) { $0 == seen[0] + 1 }
    await sender.value
    #expect(seen == [1])
  }
}
