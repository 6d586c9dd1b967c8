// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct SinkTests {
  private typealias Sink = Subscribers.Sink<Int, TestError>

  /// A sink that records its events, with its log.
  private func logging() -> (Sink, () -> [String]) {
    var log: [String] = []
    let sink = Sink(
      receiveCompletion: { log.append("\($0)") },
      receiveValue: { log.append("\($0)") })
    return (sink, { log })
  }

  @Test func `It asks for everything, once`() {
    let (sink, log) = logging()
    let publisher = ManualPublisher<Int, TestError>()
    publisher.subscribe(sink)
    #expect(publisher.calls == [.requested(.unlimited)])
    #expect(publisher.send(1) == .none)
    publisher.send(completion: .finished)
    publisher.send(completion: .finished)
    #expect(publisher.send(2) == .none)
    #expect(log() == ["1", "finished"])
    #expect(publisher.subscription?.cancellations == 0)
  }

  @Test func `A second subscription is cancelled, and the first goes on`() {
    let (sink, log) = logging()
    let publisher = ManualPublisher<Int, TestError>()
    publisher.subscribe(sink)
    let second = ManualSubscription()
    sink.receive(subscription: second)
    #expect(second.calls == [.cancelled])
    publisher.send(1)
    #expect(log() == ["1"])
  }

  @Test func `A second subscription from a library source is cancelled as well`() {
    let (sink, log) = logging()
    let (a, b) = (PassthroughSubject<Int, TestError>(), PassthroughSubject<Int, TestError>())
    a.subscribe(sink)
    b.subscribe(sink)
    a.send(1)
    b.send(2)
    a.send(3)
    a.send(completion: .failure(.oops))
    #expect(log() == ["1", "3", "failure(oops)"])
  }

  @Test func `Values before a subscription are delivered`() {
    let (sink, log) = logging()
    #expect(sink.receive(1) == .none)
    sink.receive(completion: .finished)
    #expect(log() == ["1", "finished"])
  }

  @Test func `Cancelling cancels upstream once, and nothing is delivered afterwards`() {
    let (sink, log) = logging()
    let publisher = ManualPublisher<Int, TestError>()
    publisher.subscribe(sink)
    sink.cancel()
    sink.cancel()
    publisher.send(1)
    publisher.send(completion: .finished)
    #expect(log().isEmpty)
    #expect(publisher.calls == [.requested(.unlimited), .cancelled])
    let late = ManualSubscription()
    sink.receive(subscription: late)
    #expect(late.calls == [.cancelled])
  }

  @Test func `It shows its name and no children`() {
    #expect(Shown(of: logging().0) == Shown("Sink"))
  }

  @Test func `The closures can be read, and do nothing once the stream is over`() {
    let (sink, log) = logging()
    sink.receiveValue(1)
    sink.receiveCompletion(.finished)
    #expect(log() == ["1", "finished"])
    sink.cancel()
    sink.receiveValue(2)
    sink.receiveCompletion(.finished)
    #expect(log() == ["1", "finished"])
  }

  /// The sources that a sink may have: some that report when they have ended, and one that does not.
  private func sinks(
    _ graveyard: inout Graveyard
  ) -> [(name: String, cancel: () -> Void, complete: () -> Void, keep: Any)] {
    var all: [(name: String, cancel: () -> Void, complete: () -> Void, keep: Any)] = []
    func make(_ name: String, _ publisher: some Publisher<Int, TestError>, complete: @escaping () -> Void) {
      let canary = graveyard.watch(Canary(), name)
      let sink = Sink(
        receiveCompletion: { _ in },
        receiveValue: { _ in withExtendedLifetime(canary) {} })
      publisher.subscribe(sink)
      all.append((name, { sink.cancel() }, complete, (sink, publisher)))
    }
    let subject = PassthroughSubject<Int, TestError>()
    make("subject", subject) { subject.send(completion: .finished) }
    let mapped = PassthroughSubject<Int, TestError>()
    make("mapped subject", mapped.map { $0 }) { mapped.send(completion: .finished) }
    let manual = ManualPublisher<Int, TestError>()
    make("manual", manual) { manual.send(completion: .finished) }
    let erased = CurrentValueSubject<Int, TestError>(1)
    make("erased", erased.eraseToAnyPublisher()) { erased.send(completion: .failure(.oops)) }
    return all
  }

  @Test func `The closures are freed at a cancel, though everybody is alive`() {
    var graveyard = Graveyard()
    let all = sinks(&graveyard)
    #expect(graveyard.survivors == all.map(\.name))
    for sink in all { sink.cancel() }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `The closures are freed at a completion, though everybody is alive`() {
    var graveyard = Graveyard()
    let all = sinks(&graveyard)
    for sink in all { sink.complete() }
    #expect(graveyard.survivors.isEmpty)
    withExtendedLifetime(all) {}
  }

  @Test func `A closure that cancels or completes its own stream can finish its work`() {
    for end in ["cancel", "complete", "drop"] {
      var graveyard = Graveyard()
      var log: [Bool] = []
      do {
        let subject = PassthroughSubject<Int, Never>()
        var cancellable: AnyCancellable?
        let canary = graveyard.watch(Canary())
        cancellable = subject.sink { _ in
          switch end {
          case "cancel": cancellable?.cancel()
          case "complete": subject.send(completion: .finished)
          default: cancellable = nil
          }
          log.append(canary === canary)
        }
        subject.send(1)
        subject.send(2)
        cancellable = nil
      }
      #expect(log == [true])
      #expect(graveyard.survivors.isEmpty)
    }
  }

  @Test func `A second subscription does not make a cancel free the closures under a running delivery`() {
    var graveyard = Graveyard()
    let subject = PassthroughSubject<Int, TestError>()
    var sink: Sink?
    var survivors: [String] = []
    do {
      // Captured by the other closure, since the running one is kept alive by its caller.
      let canary = graveyard.watch(Canary())
      sink = Sink(
        receiveCompletion: { _ in withExtendedLifetime(canary) {} },
        receiveValue: { _ in
          Empty<Int, TestError>(completeImmediately: false).subscribe(sink!)
          sink?.cancel()
          survivors = graveyard.survivors
        })
    }
    subject.subscribe(sink!)
    subject.send(1)
    #expect(survivors == ["Canary"])
    #expect(graveyard.survivors.isEmpty)
    sink = nil
  }

  @Test func `A sink without an owner runs as long as its upstream`() {
    let subject = PassthroughSubject<Int, Never>()
    var values: [Int] = []
    subject.subscribe(Subscribers.Sink(receiveCompletion: { _ in }, receiveValue: { values.append($0) }))
    subject.send(1)
    #expect(values == [1])
  }

  @Test func `Discarding what sink returns cancels after the values that came at once`() {
    let subject = CurrentValueSubject<Int, Never>(1)
    var values: [Int] = []
    _ = subject.sink { values.append($0) }
    subject.send(2)
    #expect(values == [1])
  }
}
