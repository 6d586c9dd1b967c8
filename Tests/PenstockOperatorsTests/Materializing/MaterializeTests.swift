// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct MaterializeTests {
  private typealias Events = [Subscribers.Event<Int, TestError>]
  private typealias Reader = Recorder<Subscribers.Event<Int, TestError>, Never>

  private func attach(_ recorder: Reader) -> ManualPublisher<Int, TestError> {
    let publisher = ManualPublisher<Int, TestError>()
    publisher.materialize().subscribe(recorder)
    return publisher
  }

  @Test(arguments: [[], [1], [1, 2]], [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `Values and the completion become events, and a finish follows`(
    _ inputs: [Int], _ completion: Subscribers.Completion<TestError>
  ) {
    let recorder = Reader()
    let publisher = attach(recorder)
    inputs.forEach { publisher.send($0) }
    publisher.send(completion: completion)
    #expect(recorder.subscriptionTexts == ["Materialize"])
    #expect(recorder.values == inputs.map { .value($0) } + [.completion(completion)])
    #expect(recorder.completions == [.finished])
  }

  @Test func `Demand is passed, and the event of the completion waits for more`() {
    let recorder = Reader(demand: .max(1), answering: .max(1))
    let publisher = attach(recorder)
    recorder.request(.max(1))
    #expect(publisher.calls == [.requested(.max(1)), .requested(.max(1))])
    #expect(publisher.send(1) == .max(1))
    recorder.onValue = nil
    publisher.send(2)
    publisher.send(3)
    publisher.send(completion: .failure(.oops))
    let events: Events = [.value(1), .value(2), .value(3)]
    #expect(recorder.values == events)
    #expect(recorder.completions.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.values == events + [.completion(.failure(.oops))])
    #expect(recorder.isFinished)
  }

  @Test func `The end of a stream without values waits for a request`() {
    let recorder = Reader(demand: nil)
    attach(recorder).send(completion: .finished)
    #expect(recorder.events.count == 1)
    recorder.request(.max(1))
    #expect(recorder.values == [.completion(.finished)])
    #expect(recorder.isFinished)
    recorder.request(.max(1))
    #expect(recorder.events.count == 3)
  }

  @Test func `A request during a delivery counts, and so does demand that a delivery returns`() {
    for returns in [true, false] {
      let recorder = Reader(demand: .max(1))
      recorder.onValue = { [unowned recorder] _ in
        if !returns { recorder.request(.max(1)) }
        return returns ? .max(1) : .none
      }
      Publishers.Sequence<[Int], TestError>(sequence: [1, 2]).materialize().subscribe(recorder)
      #expect(recorder.values == [.value(1), .value(2), .completion(.finished)])
      #expect(recorder.isFinished)
    }
  }

  /// Only a publisher that breaks the rules delivers values that have not been requested.
  @Test func `Values that were not requested wait in order, and the completion behind them`() {
    let recorder = Reader(demand: .max(1))
    let publisher = attach(recorder)
    for value in 1...3 { publisher.send(value) }
    #expect(recorder.values == [.value(1)])
    recorder.request(.max(1))
    #expect(recorder.values == [.value(1), .value(2)])
    publisher.send(4)
    publisher.send(completion: .finished)
    recorder.request(.max(2))
    #expect(recorder.values == [.value(1), .value(2), .value(3), .value(4)])
    #expect(recorder.completions.isEmpty)
    recorder.request(.unlimited)
    #expect(recorder.values.last == .completion(.finished))
    #expect(recorder.isFinished)
  }

  @Test(arguments: ["before a value", "after a value", "while the end waits"])
  func `A cancel is the last that happens`(_ moment: String) {
    let recorder = Reader(demand: .max(1))
    let publisher = attach(recorder)
    if moment != "before a value" { publisher.send(1) }
    if moment == "while the end waits" { publisher.send(completion: .finished) }
    let count = recorder.events.count
    recorder.cancel()
    recorder.cancel()
    recorder.request(.max(1))
    publisher.send(2)
    publisher.send(completion: .failure(.oops))
    #expect(recorder.events.count == count)
    #expect(publisher.subscription?.cancellations == (moment == "while the end waits" ? 0 : 1))
  }

  @Test func `A cancel during the delivery of the last event keeps the finish back`() {
    let recorder = Reader()
    recorder.onValue = { [unowned recorder] _ in
      recorder.cancel()
      return .none
    }
    attach(recorder).send(completion: .finished)
    #expect(recorder.values == [.completion(.finished)])
    #expect(recorder.completions.isEmpty)
  }

  @Test func `A request that races with the end is not lost, nor answered twice`() {
    for _ in 0..<300 {
      let recorder = Reader(demand: nil)
      let subject = PassthroughSubject<Int, TestError>()
      subject.materialize().subscribe(recorder)
      onThreads([{ subject.send(completion: .failure(.oops)) }, { recorder.request(.max(1)) }])
      #expect(recorder.values == [.completion(.failure(.oops))])
      #expect(recorder.isFinished)
    }
  }

  @Test func `Deliveries do not overlap when several threads request what waits`() {
    for _ in 0..<100 {
      let probe = Recorder<Subscribers.Event<Int, TestError>, Never>(demand: nil)
      let publisher = ManualPublisher<Int, TestError>()
      publisher.materialize().subscribe(probe)
      for value in 1...6 { publisher.send(value) }
      onThreads(3) { thread in
        if thread == 0 {
          for value in 7...9 { publisher.send(value) }
          publisher.send(completion: .finished)
        } else {
          for _ in 1...5 { probe.request(.max(1)) }
        }
      }
      #expect(!probe.hasOverlapped)
      #expect(probe.values == (1...9).map { .value($0) } + [.completion(.finished)])
      #expect(probe.completions.count == 1)
    }
  }

  @Test(arguments: ["finish", "fail", "cancel", "hold, then cancel"])
  func `Nothing is left when the stream is over`(_ end: String) {
    var graveyard = Graveyard()
    let holds = end.hasPrefix("hold")
    do {
      let subject = graveyard.watch(PassthroughSubject<Int, TestError>(), "subject")
      let recorder = graveyard.watch(Reader(demand: holds ? nil : .unlimited), "subscriber")
      subject.materialize().subscribe(recorder)
      switch end {
      case "fail": subject.send(completion: .failure(.oops))
      case "cancel": recorder.cancel()
      default: subject.send(completion: .finished)
      }
      if holds { recorder.cancel() }
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `Events compare, and hash, by their contents`() {
    let events: Set<Subscribers.Event<Int, Never>> = [.value(1), .value(1), .value(2), .completion(.finished)]
    #expect(events.count == 3)
  }
}
