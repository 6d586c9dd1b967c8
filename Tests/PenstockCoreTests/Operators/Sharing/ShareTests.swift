// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct ShareTests {
  @Test func `Upstream is subscribed to once, by the first subscriber`() {
    let publisher = ManualPublisher<Int, TestError>()
    let shared = publisher.share()
    #expect(publisher.subscribers.isEmpty)
    let recorders = (0..<3).map { _ in Recorder<Int, TestError>() }
    for recorder in recorders { shared.subscribe(recorder) }
    #expect(publisher.subscribers.count == 1)
    #expect(publisher.calls == [.requested(.unlimited)])
    publisher.send(1)
    publisher.send(completion: .failure(.oops))
    for recorder in recorders {
      #expect(recorder.events == [.subscription("Multicast"), .value(1), .completion(.failure(.oops))])
    }
  }

  @Test func `Who comes later gets what comes later`() {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share()
    let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    shared.subscribe(first)
    source.send(1)
    shared.subscribe(second)
    source.send(2)
    #expect(first.values == [1, 2])
    #expect(second.values == [2])
  }

  @Test func `When all have cancelled upstream is cancelled, and the next one starts it anew`() {
    let publisher = ManualPublisher<Int, TestError>()
    let shared = publisher.share()
    let (first, second, third) = (Recorder<Int, TestError>(), Recorder<Int, TestError>(), Recorder<Int, TestError>())
    shared.subscribe(first)
    shared.subscribe(second)
    first.cancel()
    #expect(publisher.subscription?.cancellations == 0)
    second.cancel()
    #expect(publisher.calls == [.requested(.unlimited), .cancelled])
    publisher.subscription = ManualSubscription()
    shared.subscribe(third)
    #expect(publisher.subscribers.count == 2)
    #expect(publisher.calls == [.requested(.unlimited)])
    publisher.send(1)
    #expect(third.values == [1])
    #expect(first.values.isEmpty && second.values.isEmpty)
  }

  @Test func `An upstream that delivers at once gives everything to the first`() {
    let shared = [1, 2, 3].publisher.share()
    let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    shared.subscribe(first)
    shared.subscribe(second)
    let events: [Event<Int, Never>] = [.value(1), .value(2), .value(3), .completion(.finished)]
    #expect(first.events == [.subscription("Multicast")] + events)
    #expect(second.events == [.subscription("Multicast"), .completion(.finished)])
  }

  @Test func `After the end upstream is not started again`() {
    let publisher = ManualPublisher<Int, TestError>()
    let shared = publisher.share()
    shared.subscribe(Recorder())
    publisher.send(completion: .finished)
    let late = Recorder<Int, TestError>()
    shared.subscribe(late)
    #expect(late.events == [.subscription("Multicast"), .completion(.finished)])
    #expect(publisher.subscribers.count == 1)
  }

  @Test func `A sink that has seen the end does not leave, so upstream is not started again`() {
    let publisher = ManualPublisher<Int, Never>()
    let shared = publisher.share()
    let cancellable = shared.sink { _ in }
    publisher.send(completion: .finished)
    cancellable.cancel()
    shared.subscribe(Recorder())
    #expect(publisher.subscribers.count == 1)
  }

  @Test func `A slow subscriber does not hold up the others`() {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share()
    let (waiting, busy) = (Recorder<Int, Never>(demand: nil), Recorder<Int, Never>())
    shared.subscribe(waiting)
    shared.subscribe(busy)
    source.send(1)
    waiting.request(.max(1))
    source.send(2)
    source.send(3)
    #expect(waiting.values == [2])
    #expect(busy.values == [1, 2, 3])
  }

  @Test func `With one subscriber it is as if it were not there`() {
    let source = CurrentValueSubject<Int, TestError>(0)
    let (plain, shared) = (Recorder<Int, TestError>(), Recorder<Int, TestError>())
    source.subscribe(plain)
    source.share().subscribe(shared)
    for value in 1...5 { source.send(value) }
    source.send(completion: .failure(.oops))
    #expect(shared.values == plain.values)
    #expect(shared.completions == plain.completions)
  }

  @Test func `A subscriber may share during a delivery, and leave there`() {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share()
    let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    first.onValue = { value in
      if value == 1 { shared.subscribe(second) }
      if value == 3 { first.cancel() }
      return .none
    }
    shared.subscribe(first)
    for value in 1...4 { source.send(value) }
    #expect(first.values == [1, 2, 3])
    #expect(second.values == [2, 3, 4])
  }

  @Test func `Equal to itself only`() {
    let source = Just(1)
    let shared = source.share()
    #expect(shared == shared)
    #expect(shared != source.share())
    #expect(shared.upstream == source)
  }

  // MARK: Threads

  @Test func `However many threads come at once, upstream is subscribed to once`() {
    for _ in 0..<100 {
      let publisher = CountedPublisher<Int, Never>()
      let shared = UncheckedBox(publisher.share())
      let recorders = UncheckedBox((0..<4).map { _ in Recorder<Int, Never>() })
      onThreads(4) { index in shared.value.subscribe(recorders.value[index]) }
      #expect(publisher.subscribed.value == 1)
      publisher.subject.send(1)
      for recorder in recorders.value { #expect(recorder.values == [1]) }
      onThreads(4) { index in recorders.value[index].cancel() }
      #expect(publisher.cancelled.value == 1)
    }
  }

  @Test func `Sinks that come and go on many threads leave nothing behind, and it connects again`() {
    for _ in 0..<20 {
      let graveyard = Locked(Graveyard())
      let publisher = CountedPublisher<Int, Never>()
      // A thread may keep its closure a little longer than its work takes, so the watched object must not be captured.
      let shared = Locked<Publishers.Share<CountedPublisher<Int, Never>>?>(publisher.share())
      graveyard.change { graveyard in shared.change { _ = graveyard.watch($0!, "share") } }
      onThreads(4) { index in
        for round in 0..<50 {
          if index == 0 {
            publisher.subject.send(round)
          } else {
            let canary = graveyard.change { $0.watch(Canary(), "closure") }
            shared.value?.sink { _ in withExtendedLifetime(canary) {} }.cancel()
          }
        }
      }
      let connections = publisher.subscribed.value
      #expect(connections >= 1)
      #expect(publisher.cancelled.value == connections)
      var values: [Int] = []
      let another = shared.value?.sink { values.append($0) }
      publisher.subject.send(100)
      another?.cancel()
      #expect(values == [100])
      #expect(publisher.subscribed.value == connections + 1)
      shared.change { $0 = nil }
      #expect(graveyard.value.survivors.isEmpty)
    }
  }

  // MARK: Memory

  @Test(arguments: ["finish", "fail", "cancel"])
  func `Nothing is left when the stream is over`(_ end: String) {
    var graveyard = Graveyard()
    do {
      let source = graveyard.watch(PassthroughSubject<Int, TestError>(), "source")
      let canary = graveyard.watch(Canary(), "closure")
      var cancellables: [AnyCancellable] = []
      do {
        let shared = graveyard.watch(source.share(), "share")
        for _ in 0..<2 {
          cancellables.append(
            shared.sink(receiveCompletion: { _ in }, receiveValue: { _ in withExtendedLifetime(canary) {} }))
        }
      }
      source.send(1)
      switch end {
      case "finish": source.send(completion: .finished)
      case "fail": source.send(completion: .failure(.oops))
      default: cancellables = []
      }
      #expect(graveyard.survivors.contains("share") == false)
    }
    #expect(graveyard.survivors.isEmpty)
  }
}
