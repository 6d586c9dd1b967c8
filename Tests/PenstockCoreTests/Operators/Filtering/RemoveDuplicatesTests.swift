// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct RemoveDuplicatesTests {
  private let source = ManualPublisher<Int, TestError>()

  @Test(arguments: [
    ([], []), ([1], [1]), ([1, 1, 1], [1]), ([1, 2, 1], [1, 2, 1]), ([1, 1, 2, 2, 1], [1, 2, 1]),
  ])
  func `A value equal to the one before it is left out`(_ input: [Int], _ output: [Int]) {
    let plain = Recorder<Int, Never>()
    Publishers.RemoveDuplicates(upstream: input.publisher, predicate: ==).subscribe(plain)
    #expect(plain.values == output)
    #expect(plain.isFinished)
    let throwing = Recorder<Int, any Error>()
    Publishers.TryRemoveDuplicates(upstream: input.publisher, predicate: ==).subscribe(throwing)
    #expect(throwing.values == output)
  }

  @Test func `Equality is the type's own`() {
    let recorder = Recorder<Double, Never>()
    let numbers = ManualPublisher<Double, Never>()
    numbers.removeDuplicates().subscribe(recorder)
    for number in [1, 1, Double.nan, .nan, 2] { numbers.send(number) }
    #expect(recorder.values.count == 4)
  }

  @Test func `The closure gets the value before and the new one, whether that one had passed or not`() {
    var pairs: [[Int]] = []
    let recorder = Recorder<Int, TestError>()
    source.removeDuplicates { old, new in
      pairs.append([old, new])
      return new - old < 3
    }.subscribe(recorder)
    for value in [0, 2, 4, 9] { source.send(value) }
    #expect(pairs == [[0, 2], [2, 4], [4, 9]])
    #expect(recorder.values == [0, 9])
  }

  @Test func `A value left out is answered with a request for another`() {
    let recorder = Recorder<Int, TestError>(demand: .max(1), answering: .max(7))
    source.removeDuplicates().subscribe(recorder)
    #expect(source.send(1) == .max(7))
    #expect(source.send(1) == .max(1))
  }

  @Test func `Every subscriber has a first value of its own`() {
    let (first, second) = (Recorder<Int, TestError>(), Recorder<Int, TestError>())
    let publisher = source.removeDuplicates()
    publisher.subscribe(first)
    source.send(1)
    publisher.subscribe(second)
    source.send(1)
    #expect(first.values == [1])
    #expect(second.values == [1])
  }

  @Test func `The mirror shows the last value received`() {
    source.removeDuplicates { _, _ in true }.subscribe(Recorder<Int, TestError>())
    let last = { self.source.subscribers[0].customMirror.descendant("last") as? Int }
    #expect(last() == nil)
    source.send(1)
    source.send(2)
    #expect(last() == 2)
  }

  @Test func `A value that the closure sends itself is compared with the one it is sent behind`() {
    let subject = PassthroughSubject<Int, Never>()
    var pairs: [[Int]] = []
    let recorder = Recorder<Int, Never>()
    subject.removeDuplicates { old, new in
      pairs.append([old, new])
      if new == 2 { subject.send(3) }
      return false
    }.subscribe(recorder)
    subject.send(1)
    subject.send(2)
    #expect(pairs == [[1, 2], [2, 3]])
    #expect(recorder.values == [1, 3, 2])
  }
}
