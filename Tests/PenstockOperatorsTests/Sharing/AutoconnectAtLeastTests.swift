// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct AutoconnectAtLeastTests {
  private let source = CountedPublisher<Int, Never>()

  @Test(arguments: 1...4)
  func `It connects with that many, once, and disconnects with the last`(_ count: Int) {
    let shared = source.makeConnectable().autoconnect(atLeast: count)
    let recorders = (0..<5).map { _ in Recorder<Int, Never>() }
    for (number, recorder) in recorders.enumerated() {
      shared.subscribe(recorder)
      #expect(source.subscribed.value == (number + 1 < count ? 0 : 1))
    }
    source.subject.send(1)
    for recorder in recorders {
      #expect(source.cancelled.value == 0)
      recorder.cancel()
    }
    #expect((source.subscribed.value, source.cancelled.value) == (1, 1))
    #expect(recorders.allSatisfy { $0.values == [1] })
  }

  @Test func `Those that left before do not count, and after a disconnection it takes as many again`() {
    let shared = source.makeConnectable().autoconnect(atLeast: 2)
    for _ in 0..<3 { shared.sink { _ in }.cancel() }
    #expect(source.subscribed.value == 0)
    for round in 1...2 {
      let first = shared.sink { _ in }
      #expect(source.subscribed.value == round - 1)
      let second = shared.sink { _ in }
      #expect(source.subscribed.value == round)
      first.cancel()
      #expect(source.cancelled.value == round - 1)
      let third = shared.sink { _ in }
      #expect(source.subscribed.value == round)
      second.cancel()
      third.cancel()
      #expect(source.cancelled.value == round)
    }
  }

  @Test(arguments: 2...4)
  func `One that cancels while it receives its subscription does not count`(_ count: Int) {
    let shared = source.makeConnectable().autoconnect(atLeast: count)
    let stayers = (1..<count).map { _ in Recorder<Int, Never>() }
    for recorder in stayers { shared.subscribe(recorder) }
    for _ in 0..<3 {
      let visitor = Recorder<Int, Never>(demand: nil)
      visitor.onSubscription = { $0.cancel() }
      shared.subscribe(visitor)
      #expect(source.subscribed.value == 0)
    }
    shared.subscribe(Recorder())
    #expect(source.subscribed.value == 1)
    source.subject.send(1)
    #expect(stayers.allSatisfy { $0.values == [1] })
  }

  @Test func `One that leaves while another one is attached does not count`() {
    let shared = source.makeConnectable().autoconnect(atLeast: 2)
    let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    shared.subscribe(first)
    second.onSubscription = { _ in first.cancel() }
    shared.subscribe(second)
    #expect(source.subscribed.value == 0)
    shared.subscribe(Recorder())
    #expect(source.subscribed.value == 1)
  }

  @Test func `Nobody misses what upstream sends at once`() {
    let shared = [1, 2].publisher.makeConnectable().autoconnect(atLeast: 3)
    let recorders = (0..<3).map { _ in Recorder<Int, Never>() }
    for recorder in recorders { shared.subscribe(recorder) }
    #expect(recorders.allSatisfy { $0.values == [1, 2] && $0.isFinished })
  }

  /// A peer has connected under a lock: a subscriber that arrives during the connection would wait for it for ever.
  @Test func `A subscriber may come on another thread within the connection`() {
    let inside = Recorder<Int, Never>()
    let box = Locked<UncheckedBox<AnyPublisher<Int, Never>>?>(nil)
    let upstream = source.handleEvents(receiveSubscription: { _ in
      elsewhere { box.value?.value.subscribe(inside) }
    })
    let shared = upstream.makeConnectable().autoconnect(atLeast: 2).eraseToAnyPublisher()
    box.change { $0 = UncheckedBox(shared) }
    let sinks = (0..<2).map { _ in shared.sink { _ in } }
    source.subject.send(1)
    #expect(inside.values == [1] && source.subscribed.value == 1)
    withExtendedLifetime(sinks) {}
    box.change { $0 = nil }
  }

  @Test func `Two that come at once connect once`() {
    for _ in 0..<200 {
      let source = CountedPublisher<Int, Never>()
      let shared = UncheckedBox(source.makeConnectable().autoconnect(atLeast: 2))
      let recorders = UncheckedBox((0..<2).map { _ in Recorder<Int, Never>() })
      onThreads(2) { index in shared.value.subscribe(recorders.value[index]) }
      source.subject.send(1)
      #expect(recorders.value.allSatisfy { $0.values == [1] } && source.subscribed.value == 1)
      onThreads(2) { index in recorders.value[index].cancel() }
      #expect(source.cancelled.value == 1)
    }
  }

  @Test func `A number below 1 traps`() async {
    expectMessage(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Just(1).makeConnectable().autoconnect(atLeast: 0)
      }, "autoconnect(atLeast:) takes a count of 1 or more")
  }
}
