// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The particular behaviour of `replaceError`, beyond `SubstitutingRules`.
@Suite struct ReplaceErrorTests {
  @Test(arguments: [[], [1], [1, 2, 3]])
  func `A failure becomes the value and an end`(_ inputs: [Int]) {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, Never>()
    subject.replaceError(with: -1).subscribe(recorder)
    inputs.forEach { subject.send($0) }
    subject.send(completion: .failure(.oops))
    #expect(recorder.values == inputs + [-1])
    #expect(recorder.completions == [.finished])
  }

  @Test(arguments: [[], [1], [1, 2, 3]])
  func `A stream that finishes goes through as it is`(_ inputs: [Int]) {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = Recorder<Int, Never>(demand: .max(3))
    subject.replaceError(with: -1).subscribe(recorder)
    inputs.forEach { subject.send($0) }
    subject.send(completion: .finished)
    #expect(recorder.values == inputs)
    #expect(recorder.completions == [.finished])
  }

  @Test func `Values use up demand, and the value waits for more`() {
    let publisher = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, Never>(demand: .max(2))
    publisher.replaceError(with: -1).subscribe(recorder)
    publisher.send(1)
    publisher.send(2)
    publisher.send(completion: .failure(.oops))
    #expect(recorder.values == [1, 2])
    #expect(recorder.completions.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2, -1])
    #expect(recorder.isFinished)
  }

  @Test func `Demand that is returned counts`() {
    let publisher = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, Never>(demand: .max(1), answering: .max(1))
    publisher.replaceError(with: -1).subscribe(recorder)
    publisher.send(1)
    publisher.send(completion: .failure(.oops))
    #expect(recorder.values == [1, -1])
  }

  @Test func `Demand that is returned to a delivery during which upstream failed lets the value out`() {
    let publisher = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, Never>(demand: .max(1))
    recorder.onValue = { value in
      if value == 1 { publisher.send(completion: .failure(.oops)) }
      return .max(1)
    }
    publisher.replaceError(with: -1).subscribe(recorder)
    publisher.send(1)
    #expect(recorder.events == [.subscription("ReplaceError"), .value(1), .value(-1), .completion(.finished)])
  }

  @Test func `A value that was not asked for traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let publisher = ManualPublisher<Int, TestError>()
      publisher.replaceError(with: -1).subscribe(Recorder<Int, Never>(demand: .max(1)))
      publisher.send(1)
      publisher.send(2)
    }
    expectMessage(result, "ReplaceError received a value that was not requested")
  }

  @Test func `A sink below may be cancelled while upstream delivers and fails`() {
    for _ in 0..<200 {
      var graveyard = Graveyard()
      let subject = PassthroughSubject<Int, TestError>()
      let cancellable: AnyCancellable
      do {
        let canary = graveyard.watch(Canary(), "closure")
        cancellable = subject.replaceError(with: -1).sink { _ in withExtendedLifetime(canary) {} }
      }
      onThreads([
        { for value in 1...5 { subject.send(value) } },
        { subject.send(completion: .failure(.oops)) },
        { cancellable.cancel() },
      ])
      #expect(graveyard.survivors.isEmpty)
    }
  }

  @Test func `Equal if upstream and value are`() {
    typealias Replaced = Publishers.ReplaceError<Just<Int>>
    #expect(Replaced(upstream: Just(1), output: 2) == Replaced(upstream: Just(1), output: 2))
    #expect(Replaced(upstream: Just(1), output: 2) != Replaced(upstream: Just(1), output: 3))
    #expect(Replaced(upstream: Just(1), output: 2) != Replaced(upstream: Just(2), output: 2))
  }
}
