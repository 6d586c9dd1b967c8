// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct DropWhileTests {
  private let source = ManualPublisher<Int, TestError>()

  @Test(arguments: [([], []), ([-1], []), ([1], [1]), ([-2, -1, 0, -3, 4], [0, -3, 4])])
  func `Values are left out up to the first that the closure turns down`(_ input: [Int], _ output: [Int]) {
    let (plain, throwing) = (Recorder<Int, Never>(), Recorder<Int, any Error>())
    Publishers.DropWhile(upstream: input.publisher) { $0 < 0 }.subscribe(plain)
    Publishers.TryDropWhile(upstream: input.publisher) { $0 < 0 }.subscribe(throwing)
    #expect(plain.values == output)
    #expect(throwing.values == output)
    #expect(plain.isFinished)
    #expect(throwing.isFinished)
  }

  @Test func `The closure is not asked again after that`() {
    var asked: [Int] = []
    source.drop { number in
      asked.append(number)
      return number < 0
    }.subscribe(Recorder<Int, TestError>())
    for value in [-1, 2, -3] { source.send(value) }
    #expect(asked == [-1, 2])
  }

  @Test func `A value left out is answered with a request for another`() {
    let recorder = Recorder<Int, TestError>(demand: .max(1), answering: .max(7))
    source.drop { $0 < 0 }.subscribe(recorder)
    #expect(source.send(-1) == .max(1))
    #expect(source.send(2) == .max(7))
    #expect(source.send(-3) == .max(7))
  }

  @Test(arguments: [1, 2])
  func `So downstream gets as many as it has asked for`(_ count: Int) {
    let recorder = Recorder<Int, Never>(demand: .max(count))
    Publishers.DropWhile(upstream: (1...10).publisher) { $0 < 5 }.subscribe(recorder)
    #expect(recorder.values == Array([5, 6].prefix(count)))
  }

  @Test func `Every subscriber has dropping of its own`() {
    let (first, second) = (Recorder<Int, TestError>(), Recorder<Int, TestError>())
    let publisher = source.drop { $0 < 0 }
    publisher.subscribe(first)
    source.send(1)
    publisher.subscribe(second)
    source.send(-1)
    #expect(first.values == [1])
    #expect(second.values.isEmpty)
  }

  @Test func `A value ignored before the subscription is not judged`() {
    let source = ManualPublisher<Int, TestError>(subscription: nil)
    let recorder = Recorder<Int, TestError>()
    source.drop { $0 < 0 }.subscribe(recorder)
    source.send(1)
    source.send(subscription: ManualSubscription())
    source.send(-1)
    #expect(recorder.values.isEmpty)
  }
}
