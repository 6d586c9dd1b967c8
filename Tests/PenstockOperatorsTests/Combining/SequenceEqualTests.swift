// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct SequenceEqualTests {
  @Test(
    arguments: [
      ([], [], true), ([1], [], false), ([], [1], false), ([1, 2], [1, 2], true), ([1, 2], [1, 3], false),
      ([1, 2], [1], false), ([1], [1, 2], false), ([2, 1], [1, 2], false),
    ] as [([Int], [Int], Bool)])
  func `The result is whether both have the same values, in order and number`(
    _ first: [Int], _ second: [Int], _ isEqual: Bool
  ) {
    let recorder = Recorder<Bool, Never>()
    first.publisher.sequenceEqual(second.publisher).subscribe(recorder)
    #expect(recorder.values == [isEqual] && recorder.isFinished)
  }

  @Test(arguments: [0, 1, 15, 16, 17, 40, 1_000])
  func `Streams of any length are compared to their ends`(_ count: Int) {
    for last in [count, count + 1] {
      let recorder = Recorder<Bool, Never>()
      (0..<count).publisher.sequenceEqual((0..<last).publisher).subscribe(recorder)
      #expect(recorder.values == [last == count])
    }
  }

  private let first = ManualPublisher<Int, TestError>()
  private let second = ManualPublisher<Int, TestError>()

  private func compare(demand: Subscribers.Demand? = .unlimited) -> Recorder<Bool, TestError> {
    let recorder = Recorder<Bool, TestError>(demand: demand)
    first.sequenceEqual(second).subscribe(recorder)
    return recorder
  }

  private func granted(_ publisher: ManualPublisher<Int, TestError>) -> Subscribers.Demand {
    (publisher.subscription?.requests ?? []).reduce(.none, +)
  }

  @Test func `Sixteen values of each are requested, and more as pairs have been compared`() {
    let recorder = compare()
    #expect(granted(first) == .max(16) && granted(second) == .max(16))
    for value in 0..<16 { first.send(value) }
    #expect(granted(first) == .max(16))
    var returned = Subscribers.Demand.none
    for value in 0..<16 { returned += second.send(value) }
    #expect(granted(first) > .max(16) && granted(first) <= .max(32))
    #expect(granted(second) + returned == granted(first))
    #expect(recorder.values == [])
  }

  @Test func `The first difference cancels both, and the result waits for a request`() {
    let recorder = compare(demand: nil)
    first.send(1)
    second.send(2)
    #expect(first.calls.last == .cancelled && second.calls.last == .cancelled)
    #expect(recorder.events.count == 1)
    recorder.request(.max(1))
    #expect(recorder.values == [false] && recorder.isFinished)
  }

  @Test func `A value where the other one has finished is a difference`() {
    let recorder = compare()
    first.send(completion: .finished)
    #expect(recorder.values == [])
    second.send(1)
    #expect(recorder.values == [false] && recorder.isFinished)
    #expect(second.calls.last == .cancelled)
  }

  @Test func `The first failure ends the comparison`() {
    let recorder = compare()
    first.send(1)
    second.send(completion: .failure(.oops))
    #expect(recorder.values == [] && recorder.completions == [.failure(.oops)])
    #expect(first.calls.last == .cancelled)
  }

  @Test func `A cancel reaches both, and nothing comes`() {
    let recorder = compare()
    recorder.cancel()
    first.send(1)
    second.send(2)
    #expect(recorder.events.count == 1)
    #expect(first.calls.last == .cancelled && second.calls.last == .cancelled)
  }

  @Test func `Values of other types are compared by a closure`() {
    let recorder = Recorder<Bool, Never>()
    [1, 2].publisher.sequenceEqual(["1", "2"].publisher) { "\($0)" == $1 }.subscribe(recorder)
    #expect(recorder.values == [true])
  }

  @Test func `Two threads compare one pair at a time`() {
    for round in 0..<100 {
      let isEqual = round.isMultiple(of: 2)
      let recorder = Recorder<Bool, Never>()
      let (left, right) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      left.buffer(size: 99, prefetch: .keepFull, whenFull: .dropNewest)
        .sequenceEqual(right.buffer(size: 99, prefetch: .keepFull, whenFull: .dropNewest)).subscribe(recorder)
      onThreads(2) { thread in
        for value in 0..<40 { (thread == 0 ? left : right).send(thread == 0 || isEqual || value < 30 ? value : -1) }
        (thread == 0 ? left : right).send(completion: .finished)
      }
      #expect(recorder.values == [isEqual] && recorder.isFinished)
    }
  }
}
