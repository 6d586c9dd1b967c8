// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct AssertNoFailureTests {
  private let source = ManualPublisher<Int, TestError>()

  @Test func `Values and the end go through`() {
    let recorder = Recorder<Int, Never>()
    source.assertNoFailure().subscribe(recorder)
    source.send(1)
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription("ManualSubscription"), .value(1), .completion(.finished)])
  }

  @Test func `A failure stops the process, with prefix and error, and names the place`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let source = ManualPublisher<Int, TestError>()
      source.assertNoFailure("numbers", file: "Somewhere.swift", line: 42).subscribe(Recorder<Int, Never>())
      source.send(completion: .failure(.oops))
    }
    expectMessage(result, "numbers: oops")
    expectMessage(result, "Somewhere.swift:42")
  }

  @Test func `Without a prefix the message is the error`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let source = ManualPublisher<Int, TestError>()
      source.assertNoFailure().subscribe(Recorder<Int, Never>())
      source.send(completion: .failure(.oops))
    }
    expectMessage(result, "AssertNoFailureTests.swift")
    expectMessage(result, ": oops")
  }

  @Test func `Prefix and place can be read, and seen in the mirror`() {
    let line: UInt = #line + 1
    let publisher = source.assertNoFailure("p")
    #expect(publisher.upstream === source)
    #expect(publisher.prefix == "p")
    #expect(publisher.line == line)
    #expect(publisher.file.description.hasSuffix("AssertNoFailureTests.swift"))
    publisher.subscribe(Recorder<Int, Never>())
    let mirror = source.subscribers[0].customMirror
    #expect(mirror.descendant("prefix") as? String == "p")
    #expect(mirror.descendant("line") as? UInt == line)
  }
}
