// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore
import TestSupport
import Testing

/// An error that can be encoded.
private struct StoredError: Error, Codable, Equatable {
  var code: Int
}

@Suite struct RecordTests {
  // MARK: Recording

  @Test func `The closure runs once, when the record is made`() {
    var runs = 0
    let record = Record<Int, TestError> { recording in
      runs += 1
      recording.receive(1)
      recording.receive(2)
      recording.receive(completion: .failure(.oops))
    }
    #expect(runs == 1)
    for _ in 0..<2 {
      let recorder = Recorder<Int, TestError>()
      record.subscribe(recorder)
      #expect(recorder.events == [.subscription("[1, 2]"), .value(1), .value(2), .completion(.failure(.oops))])
    }
    #expect(runs == 1)
  }

  @Test func `A recording without a completion finishes`() {
    let recorder = Recorder<Int, TestError>()
    Record<Int, TestError> { $0.receive(1) }.subscribe(recorder)
    #expect(recorder.values == [1])
    #expect(recorder.completions == [.finished])
  }

  @Test func `A new recording is empty and finishes`() {
    let recording = Record<Int, TestError>.Recording()
    #expect(recording.output == [])
    #expect(recording.completion == .finished)
  }

  @Test func `A recording shows what it was given`() {
    var recording = Record<Int, TestError>.Recording()
    recording.receive(1)
    recording.receive(2)
    #expect(recording.output == [1, 2])
    #expect(recording.completion == .finished)
    recording.receive(completion: .failure(.oops))
    #expect(recording.completion == .failure(.oops))
    #expect(Record(recording: recording).recording.output == [1, 2])
    #expect(Record<Int, TestError>.Recording(output: [3]).completion == .finished)
    let record = Record<Int, TestError>(output: [4], completion: .failure(.oops))
    #expect(record.recording.output == [4])
    #expect(record.recording.completion == .failure(.oops))
  }

  // MARK: Playing back

  @Test(arguments: 0...4, [0, 1, 3, nil])
  func `As many values come as were asked for, and the end with the last one`(_ size: Int, _ asked: Int?) {
    let recorder = Recorder<Int, TestError>(demand: demand(asked))
    Record(output: Array(0..<size), completion: .failure(TestError.oops)).subscribe(recorder)
    let expected = min(size, asked ?? .max)
    #expect(recorder.values == Array(0..<expected))
    #expect(recorder.completions == (expected == size ? [.failure(.oops)] : []))
  }

  @Test func `Asking for nothing is accepted and does nothing`() {
    let recorder = Recorder<Int, TestError>(demand: .some(.none))
    Record(output: [1], completion: .failure(TestError.oops)).subscribe(recorder)
    #expect(recorder.events == [.subscription("[1]")])
  }

  @Test func `Requests and returned demand add up, without nesting`() {
    let probe = Recorder<Int, TestError>(demand: nil)
    probe.onValue = { [unowned probe] value in
      if value == 1 { probe.request(.max(1)) }
      return value == 2 ? .max(1) : .none
    }
    Record(output: [1, 2, 3, 4], completion: .failure(TestError.oops)).subscribe(probe)
    probe.request(.max(1))
    #expect(probe.values == [1, 2, 3])
    #expect(probe.isSerial)
    probe.request(.max(1))
    #expect(probe.values == [1, 2, 3, 4])
    #expect(probe.completions.count == 1)
  }

  @Test func `A cancel during a delivery ends it there`() {
    let recorder = Recorder<Int, TestError>()
    recorder.onValue = { value in
      if value == 2 { recorder.cancel() }
      return .none
    }
    Record(output: [1, 2], completion: .failure(TestError.oops)).subscribe(recorder)
    #expect(recorder.values == [1, 2])
    #expect(recorder.completions.isEmpty)
  }

  @Test func `The subscription shows the values and the end, and no values afterwards`() {
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    Record(output: [1, 2], completion: .failure(TestError.oops)).subscribe(recorder)
    let subscription = recorder.subscriptions[0]
    #expect(Shown(of: subscription) == Shown("[1, 2]", children: ["sequence", "completion"]))
    #expect(subscription.mirrored == ["[1, 2]", "failure(oops)"])
    recorder.request(.max(1))
    #expect(Shown(of: subscription) == Shown("Cancelled Events", children: ["sequence", "completion"]))
    #expect(subscription.mirrored == ["[]", "failure(oops)"])
  }

  @Test func `The subscription shows no values after a cancel`() {
    let recorder = Recorder<Int, TestError>(demand: nil)
    Record(output: [1, 2], completion: .failure(TestError.oops)).subscribe(recorder)
    recorder.cancel()
    #expect(
      Shown(of: recorder.subscriptions[0]) == Shown("Cancelled Events", children: ["sequence", "completion"]))
  }

  @Test(arguments: [false, true])
  func `The end frees the subscriber and the values, even while the subscription is kept`(_ cancelled: Bool) {
    var graveyard = Graveyard()
    var kept: (any Subscription)?
    do {
      let recorder = graveyard.watch(Recorder<Canary, Never>(demand: nil), "subscriber")
      Record(output: [graveyard.watch(Canary(), "value")], completion: .finished).subscribe(recorder)
      kept = recorder.subscriptions[0]
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors == ["subscriber", "value"])
    if cancelled { kept?.cancel() } else { kept?.request(.max(1)) }
    #expect(graveyard.survivors == [])
    kept = nil
  }

  // MARK: Coding

  private static let endings: [Subscribers.Completion<StoredError>] = [.finished, .failure(StoredError(code: 3))]

  @Test(arguments: [[], ["a", "b"]], [0, 1])
  func `A record survives being stored`(_ output: [String], _ ending: Int) throws {
    let record = Record(output: output, completion: Self.endings[ending])
    let restored = try JSONDecoder().decode(Record<String, StoredError>.self, from: JSONEncoder().encode(record))
    #expect(restored.recording.output == output)
    #expect(restored.recording.completion == Self.endings[ending])
    let recorder = Recorder<String, StoredError>()
    restored.subscribe(recorder)
    #expect(recorder.values == output)
    #expect(recorder.completions == [Self.endings[ending]])
  }

  @Test func `A record is stored under the keys that Combine uses`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let record = Record(output: [1, 2], completion: .failure(StoredError(code: 3)))
    #expect(
      String(decoding: try encoder.encode(record), as: UTF8.self)
        == #"{"recording":{"completion":{"error":{"code":3},"success":false},"output":[1,2]}}"#)
  }

  @Test func `The other name for encoding writes the same`() throws {
    struct Wrapper: Encodable {
      var recording: Record<Int, StoredError>.Recording
      func encode(to encoder: any Encoder) throws { try recording.encode(into: encoder) }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let recording = Record<Int, StoredError>.Recording(output: [1])
    #expect(try encoder.encode(Wrapper(recording: recording)) == encoder.encode(recording))
  }

  @Test func `What cannot be read says so`() {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Record<Int, StoredError>.self, from: Data(#"{"recording":{"output":[1]}}"#.utf8))
    }
  }

  // MARK: Misuse

  @Test func `A value behind the completion traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Record<Int, Never> { recording in
        recording.receive(completion: .finished)
        recording.receive(1)
      }
    }
    expectMessage(result, "takes no more values")
  }

  @Test func `A second completion traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Record<Int, Never> { recording in
        recording.receive(completion: .finished)
        recording.receive(completion: .finished)
      }
    }
    expectMessage(result, "Call receive(completion:) once")
  }

  /// The ways to make a recording that is complete from the start.
  enum Making: String, CaseIterable, Codable, Sendable {
    case given, decoded

    fileprivate func make() -> Record<Int, StoredError>.Recording {
      let given = Record<Int, StoredError>.Recording(output: [1])
      if self == .given { return given }
      return try! JSONDecoder().decode(Record<Int, StoredError>.Recording.self, from: JSONEncoder().encode(given))
    }
  }

  @Test(arguments: Making.allCases)
  func `A recording that was given or decoded takes no value`(_ making: Making) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [making] in
      var recording = making.make()
      recording.receive(2)
    }
    expectMessage(result, "takes no more values")
  }

  @Test(arguments: Making.allCases)
  func `A recording that was given or decoded takes no completion`(_ making: Making) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [making] in
      var recording = making.make()
      recording.receive(completion: .finished)
    }
    expectMessage(result, "Call receive(completion:) once")
  }
}
