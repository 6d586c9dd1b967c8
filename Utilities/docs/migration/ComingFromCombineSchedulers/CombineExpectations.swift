// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockTesting
import Synchronization

enum ComingFromCombineExpectations {
  // CombineExpectations | `publisher.record()`
  //
  // Differs: a recording that goes with unread values fails the test, unless it is made with `atEnd: []`.
  static func record() throws {
    let failures = Mutex<[String]>([])
    TestFailure.handle { failure in failures.withLock { $0.append(failure.message) } }
    do { _ = [1, 2].publisher.record("unread") }
    do { _ = [1, 2].publisher.record("allowed", atEnd: []) }
    TestFailure.handle(nil)
    expect(failures.withLock { $0.map { $0.hasPrefix("unread: ") } }, [true])
  }

  // CombineExpectations | `try wait(for: recorder.next(), timeout: 1)`
  static func next() async throws {
    let subject = PassthroughSubject<String, Never>()
    let recording = subject.record()
    subject.send("a")
    try recording.expectNext("a")
    let sender = Task { subject.send("b") }
    expect(try await recording.next(), ["b"])
    await sender.value
    subject.send(completion: .finished)
    try recording.expectFinished()
  }

  // CombineExpectations | `try wait(for: recorder.next(3), timeout: 1)`
  static func nextThree() throws {
    let recording = (1...3).publisher.record()
    expect(try recording.expectNext(count: 3), [1, 2, 3])
    try recording.expectFinished()
  }

  // CombineExpectations | `try wait(for: recorder.prefix(3), timeout: 1)`
  static func prefix() {
    let recording = (1...9).publisher.record(atEnd: [])
    expect(Array(recording.values.prefix(3)), [1, 2, 3])
  }

  // CombineExpectations | `try wait(for: recorder.elements, timeout: 1)`
  static func elements() throws {
    let recording = (1...3).publisher.record()
    try recording.expectNext(count: 3)
    try recording.expectFinished()
    expect(recording.values, [1, 2, 3])
  }

  // CombineExpectations | `try wait(for: recorder.last, timeout: 1)`
  static func last() {
    expect((1...3).publisher.record(atEnd: []).values.last, 3)
  }

  // CombineExpectations | `try wait(for: recorder.single, timeout: 1)`
  static func single() throws {
    let recording = Just(1).record()
    try recording.expectNext(1)
    try recording.expectFinished()
  }

  // CombineExpectations | `try wait(for: recorder.finished, timeout: 1)`
  static func finished() async throws {
    try Empty<Int, Never>().record().expectFinished()
    try await Empty<Int, Never>().record().expectFinished(within: .seconds(60))
  }

  // CombineExpectations | `try wait(for: recorder.completion, timeout: 1)`
  static func completion() async throws {
    expect(try await Fail<Int, Trouble>(error: .offline).record().end(), .failure(.offline))
  }

  // CombineExpectations | `recorder.next().inverted`
  static func inverted() throws {
    let recording = PassthroughSubject<Int, Never>().record(atEnd: [])
    try recording.expectNothing()
  }
}
