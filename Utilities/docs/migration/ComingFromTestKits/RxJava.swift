// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockTesting

enum ComingFromRxJavaTests {
  // RxJava | `assertValue(predicate)`
  static func assertValue() throws {
    let recording = ["gate"].publisher.record()
    expect(try recording.expectNext(where: { $0.count == 4 }), "gate")
    try recording.finish()
  }

  // RxJava | `assertValues(1, 2)`, `assertResult(1, 2)`
  static func assertValues() throws {
    let recording = [1, 2].publisher.record()
    try recording.expectNext(1, 2)
    try recording.expectFinished()
  }

  // RxJava | `assertValueCount(3)`
  static func assertValueCount() throws {
    let recording = (1...3).publisher.record()
    try recording.expectNext(count: 3)
    try recording.expectFinished()
  }

  // RxJava | `assertError(Class)`, `assertError(predicate)`
  static func assertError() throws {
    let failing = Fail<Int, any Error>(error: Trouble.offline)
    try failing.record().expectFailure(as: Trouble.self)
    try failing.record().expectFailure { $0 as? Trouble == .offline }
  }

  // RxJava | `awaitCount(3)`, `awaitDone(timeout)`
  static func awaiting() async throws {
    let subject = PassthroughSubject<Int, Never>()
    let recording = subject.record()
    let sender = Task {
      for number in 1...3 { subject.send(number) }
      subject.send(completion: .finished)
    }
    expect(try await recording.next(3), [1, 2, 3])
    expect(try await recording.end(), .finished)
    await sender.value
  }

  // RxJava | `withTag("search")`
  static func withTag() {
    let recording = Just(1).record("search", atEnd: [])
    do {
      try recording.expectNext(2)
    } catch {
      expect((error as? TestFailure)?.message.hasPrefix("search: Expected the next values to be 2"), true)
    }
  }
}
