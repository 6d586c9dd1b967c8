// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct EnumeratedTests {
  @Test func `Indices count from zero, for each subscriber`() {
    let subject = PassthroughSubject<String, TestError>()
    let enumerated = subject.enumerated().map { "\($0.index)\($0.element)" }
    let (first, second) = (Recorder<String, TestError>(), Recorder<String, TestError>())
    enumerated.subscribe(first)
    subject.send("a")
    enumerated.subscribe(second)
    subject.send("b")
    subject.send(completion: .failure(.oops))
    #expect(first.values == ["0a", "1b"] && first.completions == [.failure(.oops)])
    #expect(second.values == ["0b"])
    #expect(first.subscriptionTexts == ["Enumerated"])
  }

  @Test func `A value that is sent during a delivery has the next index`() {
    let subject = PassthroughSubject<String, Never>()
    let recorder = Recorder<String, Never>()
    recorder.onValue = { value in
      if value == "0a" { subject.send("b") }
      return .none
    }
    subject.enumerated().map { "\($0.index)\($0.element)" }.subscribe(recorder)
    subject.send("a")
    subject.send("c")
    #expect(recorder.values == ["0a", "1b", "2c"])
  }

  @Test func `Demand passes, and a request for nothing traps`() async {
    let recorder = Recorder<Int, TestError>(demand: .max(1), answering: .max(2))
    let publisher = ManualPublisher<Int, TestError>()
    publisher.enumerated().map(\.index).subscribe(recorder)
    #expect(publisher.send(7) == .max(2))
    #expect(publisher.calls == [.requested(.max(1))])
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let recorder = Recorder<Int, TestError>(demand: .some(.none))
      PassthroughSubject<Int, TestError>().enumerated().map(\.index).subscribe(recorder)
    }
    expectMessage(result, "request(.none)")
  }
}
