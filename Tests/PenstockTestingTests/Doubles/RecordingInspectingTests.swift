// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import Testing

private enum Fault: Error { case oops, ouch }

private struct Offline: Error { let seconds: Int }

/// A value that cannot be compared.
private final class Page {
  let number: Int
  init(_ number: Int) { self.number = number }
}

private struct Unfit: Error {}

@Suite struct RecordingInspectingTests {
  private func pages(_ numbers: ClosedRange<Int>) -> Recording<Page, Never> {
    numbers.publisher.map(Page.init).record()
  }

  @Test func `A predicate judges the next value, which need not be Equatable`() throws {
    let recording = pages(1...3)
    #expect(try recording.expectNext(where: { $0.number == 1 }).number == 1)
    try recording.expectNext { $0.number == 2 }
    let failure = #expect(throws: TestFailure.self) { try recording.expectNext(where: { $0.number > 3 }) }
    #expect(failure?.message.contains("Expected the next value to satisfy the predicate, but there came: ") == true)
    #expect(failure?.message.contains("Page") == true)
    #expect(failure?.description.contains("RecordingInspectingTests.swift:\(#line - 3): Expected") == true)
    try recording.expectFinished()
    try recording.finish()
  }

  @Test func `A closure of one expression that is a condition is a predicate, and not ignored`() {
    let recording = (1...3).publisher.record(atEnd: [])
    #expect(throws: TestFailure.self) { try recording.expectNext { $0 > 1 } }
    #expect(throws: TestFailure.self) {
      try recording.expectNext { value in
        let bound = 2
        return value > bound
      }
    }
    #expect(throws: TestFailure.self) { try recording.expectNext(where: { [4, 5].contains($0) }) }
  }

  @Test func `A closure looks at the next value, and what it throws is thrown`() throws {
    let recording = pages(1...3)
    var seen: [Int] = []
    try recording.expectNext { page in
      #expect(page.number == 1)
      seen.append(page.number)
    }
    #expect(throws: Unfit.self) { try recording.expectNext { page in if page.number == 2 { throw Unfit() } } }
    #expect(throws: Unfit.self) { try recording.expectNext(where: { _ in throw Unfit() }) }
    #expect(seen == [1])
    let failure = #expect(throws: TestFailure.self) { try recording.expectNext { page in seen.append(page.number) } }
    #expect(failure?.message.contains("Expected a value, but there came: finished") == true)
    #expect(seen == [1])
    try recording.finish()
  }

  @Test func `A number of values is read, whatever they are`() throws {
    let recording = pages(1...4)
    #expect(try recording.expectNext(count: 3).map(\.number) == [1, 2, 3])
    let failure = #expect(throws: TestFailure.self) { try recording.expectNext(count: 2) }
    #expect(failure?.message.contains("Expected 2 values, but there came: ") == true)
    #expect(failure?.message.contains("finished") == true)
    try recording.expectNothing()
    try recording.finish()
  }

  @Test func `Values are skipped by number, or as long as they satisfy a predicate`() throws {
    let recording = (1...9).publisher.record()
    try recording.skip()
    try recording.skip(2)
    #expect(recording.skip { $0 < 6 } == 2)
    #expect(recording.skip(while: { $0 < 6 }) == 0)
    try recording.expectNext(6)
    #expect(throws: Unfit.self) { try recording.skip(while: { if $0 == 8 { throw Unfit() } else { true } }) }
    try recording.expectNext(8)
    let failure = #expect(throws: TestFailure.self) { try recording.skip(2) }
    #expect(failure?.message.contains("Expected 2 values to skip, but there came: 9, finished") == true)
    #expect(recording.skip { _ in true } == 0)
  }

  @Test func `What is not skipped is unread, and fails at the end`() throws {
    let recording = (1...9).publisher.record()
    recording.skip { $0 < 9 }
    let failure = #expect(throws: TestFailure.self) { try recording.finish() }
    #expect(failure?.message.contains("1 unread value: 9") == true)
  }

  @Test func `A failure is judged by a predicate`() throws {
    let failing = Fail<Int, Fault>(error: .oops)
    #expect(try failing.record().expectFailure(where: { $0 == .oops }) == .oops)
    try failing.record().expectFailure { $0 != .ouch }
    let failure = #expect(throws: TestFailure.self) { try failing.record().expectFailure { $0 == .ouch } }
    #expect(failure?.message.contains("the failure to satisfy the predicate, but there came: failure oops") == true)
    let finished = Empty<Int, Fault>().record()
    let other = #expect(throws: TestFailure.self) { try finished.expectFailure { _ in true } }
    #expect(other?.message.contains("Expected the stream to have failed, but there came: finished") == true)
  }

  @Test func `A failure is judged by its type`() throws {
    let failing = Fail<Int, any Error>(error: Offline(seconds: 30))
    #expect(try failing.record().expectFailure(as: Offline.self).seconds == 30)
    let failure = #expect(throws: TestFailure.self) { try failing.record().expectFailure(as: Fault.self) }
    #expect(failure?.message.contains("Expected a failure of type Fault, but there came: failure Offline") == true)
  }

  @Test func `Failures begin with the name of the recording, each of them`() async throws {
    let subject = PassthroughSubject<Int, Fault>()
    let (search, plain) = (subject.record("search"), subject.record(atEnd: []))
    #expect(search.name == "search" && plain.name == "")
    subject.send(1)
    #expect(failure { try plain.expectNext(2) }.hasPrefix("Expected the next values to be 2"))
    #expect(failure { try search.expectNext(2) }.hasPrefix("search: Expected the next values to be 2"))
    #expect(failure { try search.expectNext { $0 > 2 } }.hasPrefix("search: Expected a value, but nothing"))
    #expect(failure { try search.expect(demand: .none, delivered: 0) }.hasPrefix("search: Expected granted 0"))
    #expect(failure { try search.finish() }.hasPrefix("search: A recording ended with the subscription is still alive"))
    let waited = await #expect(throws: TestFailure.self) { try await search.next(within: .zero) }
    #expect(waited?.message.hasPrefix("search: Expected 1 value within") == true)
    let broken = MisbehavingPublisher([1, 2], .overflows).record("broken", demand: .max(1), atEnd: [])
    #expect(failure { try broken.expectRulesKept() }.hasPrefix("broken: A broken rule: P-03"))
    let made = Recording<Int, Fault>("made")
    subject.subscribe(made.subscriber)
    subject.send(completion: .failure(.oops))
    #expect(failure { try made.expectFinished() }.hasPrefix("made: Expected the stream to have finished"))
  }

  private func failure(_ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) -> String {
    #expect(throws: TestFailure.self, sourceLocation: sourceLocation, performing: body)?.message ?? ""
  }
}
