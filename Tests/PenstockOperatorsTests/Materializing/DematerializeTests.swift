// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct DematerializeTests {
  private typealias Event = Subscribers.Event<Int, TestError>

  private func attach(_ recorder: Recorder<Int, TestError>) -> ManualPublisher<Event, Never> {
    let publisher = ManualPublisher<Event, Never>()
    publisher.dematerialize().subscribe(recorder)
    return publisher
  }

  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `Events become values, and the first completion ends the stream and cancels upstream`(
    _ completion: Subscribers.Completion<TestError>
  ) {
    let recorder = Recorder<Int, TestError>()
    let publisher = attach(recorder)
    for event: Event in [.value(1), .value(2), .completion(completion), .value(3), .completion(.finished)] {
      #expect(publisher.send(event) == .none)
    }
    publisher.send(completion: .finished)
    #expect(
      recorder.events == [.subscription("Dematerialize"), .value(1), .value(2), .completion(completion)])
    #expect(publisher.calls == [.requested(.unlimited), .cancelled])
  }

  @Test func `The end of upstream is forwarded`() {
    let recorder = Recorder<Int, TestError>()
    let publisher = attach(recorder)
    publisher.send(.value(1))
    publisher.send(completion: .finished)
    #expect(recorder.events == [.subscription("Dematerialize"), .value(1), .completion(.finished)])
  }

  @Test func `Demand is passed`() {
    let recorder = Recorder<Int, TestError>(demand: .max(1), answering: .max(2))
    let publisher = attach(recorder)
    recorder.request(.max(3))
    #expect(publisher.send(.value(1)) == .max(2))
    #expect(publisher.calls == [.requested(.max(1)), .requested(.max(3))])
  }

  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `What has been materialized becomes the stream that it was`(_ completion: Subscribers.Completion<TestError>) {
    for demand in [Subscribers.Demand.unlimited, .max(1)] {
      let recorder = Recorder<Int, TestError>(demand: demand, answering: .max(1))
      Record<Int, TestError>(output: [1, 2, 3], completion: completion).materialize().dematerialize().subscribe(
        recorder)
      #expect(recorder.values == [1, 2, 3])
      #expect(recorder.completions == [completion])
    }
  }

  @Test func `A cancel goes upstream once, and nothing comes afterwards`() {
    let recorder = Recorder<Int, TestError>()
    let publisher = attach(recorder)
    publisher.send(.value(1))
    recorder.cancel()
    recorder.cancel()
    publisher.send(.value(2))
    publisher.send(.completion(.failure(.oops)))
    #expect(recorder.events == [.subscription("Dematerialize"), .value(1)])
    #expect(publisher.calls == [.requested(.unlimited), .cancelled])
  }

  @Test func `A cancel during a delivery is the last event`() {
    let recorder = Recorder<Int, TestError>()
    recorder.onValue = { [unowned recorder] _ in
      recorder.cancel()
      return .none
    }
    let events: [Event] = [.value(1), .value(2), .completion(.finished)]
    events.publisher.map { $0 }.dematerialize().subscribe(recorder)
    #expect(recorder.events == [.subscription("Dematerialize"), .value(1)])
  }

  @Test func `A cancel that races with a completion leaves at most one end`() {
    for _ in 0..<300 {
      let subject = PassthroughSubject<Event, Never>()
      let recorder = Recorder<Int, TestError>()
      subject.dematerialize().subscribe(recorder)
      onThreads([
        { for event: Event in [.value(1), .completion(.finished), .value(2)] { subject.send(event) } },
        { recorder.cancel() },
      ])
      #expect(recorder.values == [1] || recorder.values.isEmpty)
      #expect(recorder.completions.count <= recorder.values.count)
    }
  }

  @Test(arguments: ["finish", "fail", "end of upstream", "cancel"])
  func `Nothing is left when the stream is over`(_ end: String) {
    var graveyard = Graveyard()
    do {
      let subject = graveyard.watch(PassthroughSubject<Event, Never>(), "subject")
      let recorder = graveyard.watch(Recorder<Int, TestError>(), "subscriber")
      subject.dematerialize().subscribe(recorder)
      switch end {
      case "finish": subject.send(.completion(.finished))
      case "fail": subject.send(.completion(.failure(.oops)))
      case "cancel": recorder.cancel()
      default: subject.send(completion: .finished)
      }
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
  }
}
