// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The particular behaviour of `reduce` and `tryReduce`, beyond `CollectingRules`.
@Suite struct ReduceTests {
  @Test(arguments: [([], "start"), (["a"], "start a"), (["a", "b", "c"], "start a b c")])
  func `Values are folded in order, from the initial result`(_ inputs: [String], _ expected: String) {
    let (plain, throwing) = (Recorder<String, Never>(), Recorder<String, any Error>())
    let subject = PassthroughSubject<String, Never>()
    subject.reduce("start") { $0 + " " + $1 }.subscribe(plain)
    subject.tryReduce("start") { $0 + " " + $1 }.subscribe(throwing)
    inputs.forEach { subject.send($0) }
    subject.send(completion: .finished)
    #expect(plain.values == [expected])
    #expect(throwing.values == [expected])
  }

  @Test func `Every subscriber starts from the initial result`() {
    let subject = PassthroughSubject<Int, Never>()
    let sum = subject.reduce(0, +)
    let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    sum.subscribe(first)
    subject.send(1)
    sum.subscribe(second)
    subject.send(2)
    subject.send(completion: .finished)
    #expect(first.values == [3])
    #expect(second.values == [2])
  }

  @Test func `The closure runs once for each value, and not after the end`() {
    var calls: [Int] = []
    let publisher = ManualPublisher<Int, Never>()
    let recorder = Recorder<Int, Never>()
    publisher.reduce(0) { sum, value in
      calls.append(value)
      return sum + value
    }.subscribe(recorder)
    publisher.send(1)
    publisher.send(2)
    #expect(calls == [1, 2])
    publisher.send(completion: .finished)
    publisher.send(3)
    #expect(calls == [1, 2])
  }

  @Test func `A cancel in the closure ends the stream`() {
    let publisher = ManualPublisher<Int, Never>()
    let recorder = Recorder<Int, any Error>()
    publisher.tryReduce(0) { _, _ in
      recorder.cancel()
      throw TestError.oops
    }.subscribe(recorder)
    publisher.send(1)
    #expect(recorder.events.count == 1)
    #expect(publisher.calls == [.requested(.unlimited), .cancelled])
  }

  @Test func `A failure of upstream is not wrapped by the throwing twin`() {
    let publisher = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, any Error>()
    publisher.tryReduce(0) { $0 + $1 }.subscribe(recorder)
    publisher.send(completion: .failure(.oops))
    guard case .failure(let error) = recorder.completions.first else { return #expect(Bool(false), "no failure") }
    #expect(error as? TestError == .oops)
  }

  @Test func `The publishers show what they were made of`() throws {
    let reduce = Publishers.Reduce(upstream: Empty<Int, Never>(), initial: 4) { $0 + $1 }
    #expect(reduce.initial == 4)
    #expect(reduce.nextPartialResult(1, 2) == 3)
    let tryReduce = Publishers.TryReduce(upstream: Empty<Int, Never>(), initial: 4) { $0 - $1 }
    #expect(tryReduce.initial == 4)
    #expect(try tryReduce.nextPartialResult(1, 2) == -1)
    #expect(tryReduce.upstream == Empty())
  }
}
