// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct PairwiseTests {
  private typealias Pairs = Recorder<[Int], TestError>

  private func attach(_ recorder: Pairs) -> ManualPublisher<Int, TestError> {
    let publisher = ManualPublisher<Int, TestError>()
    publisher.pairwise().map { [$0, $1] }.subscribe(recorder)
    return publisher
  }

  @Test(
    arguments: [([], []), ([1], []), ([1, 2], [[1, 2]]), ([1, 1, 3], [[1, 1], [1, 3]])] as [([Int], [[Int]])])
  func `Each value but the first is published with its predecessor`(_ inputs: [Int], _ expected: [[Int]]) {
    let recorder = Pairs()
    let publisher = attach(recorder)
    inputs.forEach { publisher.send($0) }
    publisher.send(completion: .finished)
    #expect(recorder.values == expected)
    #expect(recorder.completions == [.finished])
  }

  @Test func `Demand is passed, and one more value is requested for the first`() {
    let recorder = Pairs(demand: .max(2), answering: .max(3))
    let publisher = attach(recorder)
    #expect([1, 2, 3].map { publisher.send($0) } == [.max(1), .max(3), .max(3)])
    recorder.request(.unlimited)
    #expect(publisher.calls == [.requested(.max(2)), .requested(.unlimited)])
  }

  @Test func `Pairs are delivered as they are requested, one by one or during a delivery`() {
    let recorder = Pairs(demand: .max(1))
    Publishers.Sequence<[Int], TestError>(sequence: [1, 2, 3, 4, 5]).pairwise().map { [$0, $1] }.subscribe(recorder)
    #expect(recorder.values == [[1, 2]])
    recorder.onValue = { [unowned recorder] pair in
      if pair == [2, 3] { recorder.request(.max(1)) }
      return .none
    }
    recorder.request(.max(1))
    #expect(recorder.values == [[1, 2], [2, 3], [3, 4]])
    recorder.request(.max(2))
    #expect(recorder.values.last == [4, 5])
    #expect(recorder.isFinished)
  }

  @Test func `A failure is forwarded`() {
    let recorder = Pairs()
    let publisher = attach(recorder)
    publisher.send(1)
    publisher.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription("Pairwise"), .completion(.failure(.oops))])
  }

  @Test(arguments: 0...3)
  func `A cancel goes upstream once, and nothing comes afterwards`(_ count: Int) {
    let recorder = Pairs()
    let publisher = attach(recorder)
    for value in 0..<count { publisher.send(value) }
    let events = recorder.events
    recorder.cancel()
    recorder.cancel()
    publisher.send(9)
    publisher.send(completion: .finished)
    #expect(recorder.events == events)
    #expect(publisher.calls == [.requested(.unlimited), .cancelled])
  }

  @Test func `A cancel during a delivery is the last event`() {
    let recorder = Pairs()
    recorder.onValue = { [unowned recorder] _ in
      recorder.cancel()
      return .none
    }
    let subject = PassthroughSubject<Int, TestError>()
    subject.pairwise().map { [$0, $1] }.subscribe(recorder)
    for value in 1...3 { subject.send(value) }
    subject.send(completion: .finished)
    #expect(recorder.events == [.subscription("Pairwise"), .value([1, 2])])
  }

  @Test func `Asking for nothing traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      PassthroughSubject<Int, TestError>().pairwise().map { [$0, $1] }.subscribe(
        Recorder<[Int], TestError>(demand: .some(.none)))
    }
    expectMessage(result, "request(.none)")
  }

  @Test func `Every subscriber has a predecessor of its own`() {
    let subject = PassthroughSubject<Int, TestError>()
    let pairs = subject.pairwise().map { [$0, $1] }
    let (first, second) = (Pairs(), Pairs())
    pairs.subscribe(first)
    subject.send(1)
    pairs.subscribe(second)
    subject.send(2)
    subject.send(3)
    #expect(first.values == [[1, 2], [2, 3]])
    #expect(second.values == [[2, 3]])
  }

  @Test func `Values that several threads send are paired with their predecessors`() {
    let subject = PassthroughSubject<Int, TestError>()
    let recorder = Pairs()
    subject.pairwise().map { [$0, $1] }.subscribe(recorder)
    onThreads(2) { thread in for value in 0..<200 { subject.send(thread * 1_000 + value) } }
    #expect(recorder.values.count == 399)
    #expect(zip(recorder.values, recorder.values.dropFirst()).allSatisfy { $0[1] == $1[0] })
  }

  @Test(arguments: ["finish", "fail", "cancel"])
  func `Nothing is left when the stream is over`(_ end: String) {
    var graveyard = Graveyard()
    do {
      let subject = graveyard.watch(PassthroughSubject<Canary, TestError>(), "subject")
      let cancellable = subject.pairwise().sink(receiveCompletion: { _ in }, receiveValue: { _ in })
      for index in 0..<3 { subject.send(graveyard.watch(Canary(), "value \(index)")) }
      #expect(graveyard.survivors == ["subject", "value 2"])
      switch end {
      case "finish": subject.send(completion: .finished)
      case "fail": subject.send(completion: .failure(.oops))
      default: cancellable.cancel()
      }
      #expect(graveyard.survivors == ["subject"])
    }
    #expect(graveyard.survivors.isEmpty)
  }
}
