// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// The particular behaviour of `replaceEmpty`, beyond `SubstitutingRules`.
@Suite struct ReplaceEmptyTests {
  @Test(arguments: [([], [-1]), ([1], [1]), ([1, 2, 3], [1, 2, 3])])
  func `Only an empty stream gives the value`(_ inputs: [Int], _ expected: [Int]) {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    subject.replaceEmpty(with: -1).subscribe(recorder)
    inputs.forEach { subject.send($0) }
    subject.send(completion: .finished)
    #expect(recorder.values == expected)
    #expect(recorder.isFinished)
  }

  @Test(arguments: [[], [1]])
  func `A failure goes out at once, with values and without`(_ inputs: [Int]) {
    let publisher = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: nil)
    publisher.replaceEmpty(with: -1).subscribe(recorder)
    inputs.forEach { publisher.send($0) }
    publisher.send(completion: .failure(.oops))
    #expect(recorder.values == inputs)
    #expect(recorder.completions == [.failure(.oops)])
  }

  @Test func `The end of a stream with values needs no demand`() {
    let publisher = ManualPublisher<Int, Never>()
    let recorder = Recorder<Int, Never>(demand: .max(1))
    publisher.replaceEmpty(with: -1).subscribe(recorder)
    publisher.send(1)
    publisher.send(completion: .finished)
    #expect(recorder.isFinished)
  }

  @Test func `Equal if upstream and value are`() {
    typealias Replaced = Publishers.ReplaceEmpty<Just<Int>>
    #expect(Replaced(upstream: Just(1), output: 2) == Replaced(upstream: Just(1), output: 2))
    #expect(Replaced(upstream: Just(1), output: 2) != Replaced(upstream: Just(1), output: 3))
    #expect(Replaced(upstream: Just(1), output: 2) != Replaced(upstream: Just(2), output: 2))
  }
}
