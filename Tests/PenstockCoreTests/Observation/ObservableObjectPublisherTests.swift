// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct ObservableObjectPublisherTests {
  @Test(arguments: [Subscribers.Demand.none, .max(1), .unlimited])
  func `The first request, of any size, is for all signals`(_ demand: Subscribers.Demand) {
    let publisher = ObservableObjectPublisher()
    let recorder = Recorder<Void, Never>(demand: nil)
    publisher.subscribe(recorder)
    publisher.send()
    #expect(recorder.values.count == 0)
    recorder.request(demand)
    for _ in 0..<5 { publisher.send() }
    #expect(recorder.values.count == 5)
    recorder.request(demand)
    publisher.send()
    #expect(recorder.values.count == 6)
  }

  @Test func `Every subscriber gets every signal on the sender's thread, before send returns`() {
    let publisher = ObservableObjectPublisher()
    var log: [Int] = []
    let cancellables = (0..<3).map { index in publisher.sink { log.append(index) } }
    publisher.send()
    #expect(log == [0, 1, 2])
    publisher.send()
    #expect(log.count == 6)
    cancellables.forEach { $0.cancel() }
    publisher.send()
    #expect(log.count == 6)
  }

  @Test func `A cancel during a signal spares subscribers that have not been reached`() {
    let publisher = ObservableObjectPublisher()
    let (first, second) = (Recorder<Void, Never>(), Recorder<Void, Never>())
    first.onValue = { _ in
      first.cancel()
      second.cancel()
      return .none
    }
    publisher.subscribe(first)
    publisher.subscribe(second)
    publisher.send()
    publisher.send()
    #expect(first.values.count == 1)
    #expect(second.values.count == 0)
  }

  @Test func `The subscription has a text and a mirror`() throws {
    let publisher = ObservableObjectPublisher()
    let recorder = Recorder<Void, Never>()
    publisher.subscribe(recorder)
    #expect(
      Shown(of: try #require(recorder.subscriptions.first))
        == Shown("ObservableObjectPublisher", children: ["downstream"]))
  }

  @Test func `Its subscriptions do not keep it, and its end frees the subscribers without a word`() {
    var graveyard = Graveyard()
    var kept: (any Subscription)?
    var completions = 0
    do {
      let publisher = graveyard.watch(ObservableObjectPublisher(), "publisher")
      let recorder = graveyard.watch(Recorder<Void, Never>(), "recorder")
      recorder.onCompletion = { _ in completions += 1 }
      publisher.subscribe(recorder)
      kept = recorder.subscriptions.first
      recorder.releaseSubscriptions()
      publisher.send()
    }
    #expect(graveyard.survivors.isEmpty)
    #expect(completions == 0)
    kept?.request(.max(1))
    kept?.cancel()
  }

  @Test func `A sink that outlives the publisher is freed when it is cancelled`() {
    var graveyard = Graveyard()
    var publisher: ObservableObjectPublisher? = ObservableObjectPublisher()
    let cancellable = publisher!.sink { [canary = graveyard.watch(Canary(), "closure")] in
      withExtendedLifetime(canary) {}
    }
    publisher!.send()
    publisher = nil
    cancellable.cancel()
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `It may be freed during its own signal`() {
    var publisher: ObservableObjectPublisher? = ObservableObjectPublisher()
    weak let last = publisher
    var signals = 0
    let cancellable = publisher!.sink {
      signals += 1
      publisher = nil
    }
    publisher?.send()
    #expect(signals == 1)
    #expect(last == nil)
    cancellable.cancel()
  }

  @Test func `Threads that send, subscribe, cancel and free it at once do no harm`() {
    for _ in 0..<50 {
      let signals = Locked(0)
      let publisher = Locked<ObservableObjectPublisher?>(ObservableObjectPublisher())
      let cancellables = Locked<[AnyCancellable]>([])
      onThreads(4) { index in
        for round in 0..<50 {
          switch index {
          case 0, 1: publisher.value?.send()
          case 2:
            let cancellable = publisher.value?.sink { signals.change { $0 += 1 } }
            if let cancellable, round.isMultiple(of: 2) { cancellables.change { $0.append(cancellable) } }
          default: if round == 40 { publisher.change { $0 = nil } }
          }
        }
      }
      let before = signals.value
      cancellables.value.forEach { $0.cancel() }
      #expect(signals.value == before)
    }
  }
}
