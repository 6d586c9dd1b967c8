// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockTesting

enum ComingFromStepVerifier {
  // StepVerifier | `create(publisher, 2)`
  static func create() throws {
    let recording = (1...9).publisher.record(demand: .max(2))
    try recording.expectNext(1, 2)
    try recording.expectNothing()
    recording.cancel()
    try recording.finish()
  }

  // StepVerifier | `expectNext("a", "b")`
  static func expectNext() throws {
    let recording = ["a", "b"].publisher.record()
    try recording.expectNext("a", "b")
    try recording.expectFinished()
  }

  // StepVerifier | `expectNextMatches(predicate)`
  static func expectNextMatches() throws {
    let recording = [3].publisher.record()
    try recording.expectNext { $0 > 2 }
    try recording.finish()
  }

  // StepVerifier | `assertNext { … }`, `consumeNextWith`
  static func assertNext() throws {
    let recording = [(id: 3, name: "gate")].publisher.record()
    try recording.expectNext { item in
      expect(item.id, 3)
      expect(item.name, "gate")
    }
    try recording.finish()
  }

  // StepVerifier | `expectNextCount(3)`
  static func expectNextCount() throws {
    let recording = (1...3).publisher.record()
    expect(try recording.expectNext(count: 3), [1, 2, 3])
    try recording.expectFinished()
  }

  // StepVerifier | `thenConsumeWhile(predicate)`
  static func thenConsumeWhile() throws {
    let recording = (1...5).publisher.record()
    expect(recording.skip { $0 < 5 }, 4)
    try recording.expectNext(5)
    try recording.expectFinished()
  }

  // StepVerifier | `expectComplete()`, `expectError()`
  static func ends() throws {
    try Empty<Int, Never>().record().expectFinished()
    expect(try Fail<Int, Trouble>(error: .offline).record().expectFailure(), .offline)
  }

  // StepVerifier | `expectError(Class)`, `expectErrorMatches`
  static func errors() throws {
    let failing = Fail<Int, any Error>(error: Trouble.denied)
    expect(try failing.record().expectFailure(as: Trouble.self), .denied)
    try failing.record().expectFailure { $0 is Trouble }
  }

  // StepVerifier | `thenRequest(1)`, `thenCancel()`
  static func thenRequest() throws {
    let recording = (1...9).publisher.record(demand: .none)
    recording.request(.max(1))
    try recording.expectNext(1)
    recording.cancel()
    try recording.finish()
    let scripted = (1...9).publisher.record(demand: .max(1).request(.max(1), after: 1).cancel(after: 2))
    try scripted.expectNext(1, 2)
    try scripted.finish()
  }

  // StepVerifier | `thenAwait(Duration)`
  static func thenAwait() throws {
    let time = VirtualTimeScheduler()
    let recording = Just(1).delay(for: 60, scheduler: time).record()
    time.advance(by: 60)
    try recording.expectNext(1)
    try recording.expectFinished()
  }

  // StepVerifier | `expectNoEvent(Duration)`
  static func expectNoEvent() throws {
    let time = VirtualTimeScheduler()
    let recording = Just(1).delay(for: 60, scheduler: time).record()
    time.advance(by: 59)
    try recording.expectNothing()
    recording.cancel()
  }

  // StepVerifier | `verifyThenAssertThat().hasNotDroppedElements()`
  static func dropped() {
    let late = MisbehavingPublisher([1, 2], .valueAfterCompletion).record(atEnd: [])
    expect(late.lateEvents.map(\.description), ["→ value 1"])
    expect([1, 2].publisher.record(atEnd: []).lateEvents.isEmpty, true)
  }
}
