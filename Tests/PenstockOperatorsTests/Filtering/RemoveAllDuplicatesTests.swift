// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct RemoveAllDuplicatesTests {
  private let publisher = ManualPublisher<Int, TestError>()
  private let recorder = Recorder<Int, TestError>(demand: .max(2), answering: .max(3))

  @Test func `A value passes once, and for each other one more is requested`() {
    publisher.removeAllDuplicates().subscribe(recorder)
    #expect([1, 2, 1, 3, 2].map { publisher.send($0) } == [.max(3), .max(3), .max(1), .max(3), .max(1)])
    publisher.send(completion: .finished)
    #expect(recorder.values == [1, 2, 3] && recorder.isFinished)
    #expect(publisher.calls == [.requested(.max(2))])
  }

  @Test func `A predicate compares with what has been published, and not with what has been skipped`() {
    publisher.removeAllDuplicates { abs($0 - $1) < 2 }.subscribe(recorder)
    #expect([1, 2, 3, 1, 5].map { publisher.send($0) } == [.max(3), .max(1), .max(3), .max(1), .max(3)])
    publisher.send(completion: .failure(.oops))
    #expect(recorder.values == [1, 3, 5] && recorder.completions == [.failure(.oops)])
  }

  @Test func `Every subscriber has values of its own`() {
    let unique = [1, 1, 2].publisher.removeAllDuplicates()
    for _ in 0..<2 {
      let recorder = Recorder<Int, Never>()
      unique.subscribe(recorder)
      #expect(recorder.values == [1, 2])
    }
  }

  @Test func `A predicate that sends is called for that value as well, and nothing is lost`() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    var hasSent = false
    subject.removeAllDuplicates {
      if !hasSent {
        hasSent = true
        subject.send(9)
      }
      return $0 == $1
    }.subscribe(recorder)
    for value in [1, 2, 2, 9, 3] { subject.send(value) }
    #expect(recorder.values.sorted() == [1, 2, 3, 9])
  }

  @Test(arguments: ["finish", "fail", "cancel"])
  func `All values are kept until the stream is over`(_ end: String) {
    var graveyard = Graveyard()
    let subject = PassthroughSubject<Canary, TestError>()
    let cancellable = subject.removeAllDuplicates { $0 === $1 }
      .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    for index in 0..<3 { subject.send(graveyard.watch(Canary(), "value \(index)")) }
    #expect(graveyard.survivors.count == 3)
    switch end {
    case "finish": subject.send(completion: .finished)
    case "fail": subject.send(completion: .failure(.oops))
    default: cancellable.cancel()
    }
    #expect(graveyard.survivors.isEmpty)
  }
}
