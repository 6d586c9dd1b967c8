// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// A sequence of numbers that counts how many have been taken.
private final class Counted: Sequence, CustomStringConvertible, @unchecked Sendable {
  let limit: Int
  private(set) var iterators = 0
  private(set) var pulls = 0

  init(limit: Int = .max) { self.limit = limit }

  var description: String { "Counted" }

  func makeIterator() -> AnyIterator<Int> {
    iterators += 1
    var next = 0
    return AnyIterator {
      self.pulls += 1
      guard next < self.limit else { return nil }
      defer { next += 1 }
      return next
    }
  }
}

@Suite struct SequenceTests {
  // MARK: Values and demand

  @Test(arguments: 0...6, [0, 1, 2, 4, 5, nil])
  func `As many elements come as were asked for, and the end with the last one`(_ size: Int, _ asked: Int?) {
    let recorder = Recorder<Int, Never>(demand: demand(asked))
    (0..<size).publisher.subscribe(recorder)
    let expected = min(size, asked ?? .max)
    #expect(recorder.values == Array(0..<expected))
    #expect(recorder.completions == (expected == size ? [.finished] : []))
    #expect(recorder.subscriptions.count == 1)
  }

  @Test func `Nothing comes before it is asked for`() {
    let recorder = Recorder<Int, Never>(demand: nil)
    [1, 2].publisher.subscribe(recorder)
    #expect(recorder.events == [.subscription("[1, 2]")])
    recorder.request(.max(1))
    #expect(recorder.values == [1])
    recorder.request(.max(1))
    #expect(recorder.events.suffix(2) == [.value(2), .completion(.finished)])
  }

  @Test func `An empty sequence ends with the empty subscription, without demand`() {
    let recorder = Recorder<Int, Never>(demand: nil)
    [Int]().publisher.subscribe(recorder)
    #expect(recorder.events == [.subscription("Empty"), .completion(.finished)])
    #expect(Shown(of: recorder.subscriptions[0]) == Shown("Empty"))
    #expect(recorder.subscriptions[0].combineIdentifier == Subscriptions.empty.combineIdentifier)
  }

  @Test func `Asking for nothing is accepted and does nothing`() {
    let recorder = Recorder<Int, Never>(demand: .some(.none))
    [1, 2].publisher.subscribe(recorder)
    #expect(recorder.values.isEmpty)
    recorder.request(.max(1))
    recorder.request(.none)
    #expect(recorder.values == [1])
    recorder.request(.max(1))
    recorder.request(.none)
    #expect(recorder.values == [1, 2])
    #expect(recorder.completions == [.finished])
  }

  @Test func `Requests add up`() {
    let recorder = Recorder<Int, Never>(demand: .max(1))
    (1...6).publisher.subscribe(recorder)
    recorder.request(.max(2))
    #expect(recorder.values == [1, 2, 3])
    recorder.request(.unlimited)
    #expect(recorder.values == [1, 2, 3, 4, 5, 6])
    #expect(recorder.isFinished)
  }

  @Test(arguments: [[Int.max, .max], [nil, nil], [nil, 1], [1, nil]])
  func `Demands whose sum is past the finite range are unlimited`(_ demands: [Int?]) {
    let recorder = Recorder<Int, Never>(demand: nil)
    recorder.onSubscription = { subscription in for count in demands { subscription.request(demand(count)) } }
    (1...4).publisher.subscribe(recorder)
    #expect(recorder.values == [1, 2, 3, 4])
    #expect(recorder.completions == [.finished])
  }

  @Test func `Demand returned from a delivery extends the loop`() {
    let recorder = Recorder<Int, Never>(demand: .max(1), answering: .max(1))
    (1...4).publisher.subscribe(recorder)
    #expect(recorder.values == [1, 2, 3, 4])
    #expect(recorder.isFinished)
  }

  @Test func `Demand is returned by some deliveries, and counted exactly`() {
    let recorder = Recorder<Int, Never>(demand: .max(2))
    recorder.onValue = { $0 == 1 ? .max(3) : .none }
    (1...10).publisher.subscribe(recorder)
    #expect(recorder.values == [1, 2, 3, 4, 5])
    #expect(recorder.completions.isEmpty)
  }

  @Test func `Unlimited demand returned from a delivery lasts`() {
    let recorder = Recorder<Int, Never>(demand: .max(1))
    recorder.onValue = { $0 == 1 ? .unlimited : .none }
    (1...10).publisher.subscribe(recorder)
    #expect(recorder.values == Array(1...10))
    #expect(recorder.isFinished)
  }

  @Test(arguments: [1, nil])
  func `A request during a delivery is counted, and does not nest`(_ count: Int?) {
    let probe = Recorder<Int, Never>(demand: nil)
    probe.onValue = { [unowned probe] value in
      if value < 5 { probe.request(demand(count)) }
      return .none
    }
    (1...10).publisher.subscribe(probe)
    probe.request(.max(1))
    #expect(probe.values == Array(1...(count == nil ? 10 : 5)))
    #expect(probe.isSerial)
  }

  @Test func `Nothing happens after the end`() {
    let recorder = Recorder<Int, Never>()
    [1].publisher.subscribe(recorder)
    let events = recorder.events
    recorder.request(.unlimited)
    recorder.request(.none)
    recorder.cancel()
    recorder.cancel()
    #expect(recorder.events == events)
  }

  @Test func `A request during the completion does nothing`() {
    let recorder = Recorder<Int, Never>()
    recorder.onCompletion = { _ in
      recorder.request(.unlimited)
      recorder.cancel()
    }
    [1].publisher.subscribe(recorder)
    #expect(recorder.values == [1])
    #expect(recorder.completions == [.finished])
  }

  // MARK: Laziness

  @Test func `One element is fetched ahead, and no more`() {
    let sequence = Counted()
    let publisher = sequence.publisher
    #expect(sequence.pulls == 0)
    let recorder = Recorder<Int, Never>(demand: nil)
    publisher.subscribe(recorder)
    #expect(sequence.pulls == 1)
    recorder.request(.max(1))
    #expect(sequence.pulls == 2)
    recorder.request(.max(3))
    #expect(sequence.pulls == 5)
    #expect(recorder.values == [0, 1, 2, 3])
  }

  @Test(arguments: [3, nil])
  func `The next element is fetched before the current one is delivered`(_ count: Int?) {
    let sequence = Counted(limit: 4)
    let recorder = Recorder<Int, Never>(demand: demand(count))
    var pullsAtDelivery: [Int] = []
    recorder.onValue = { _ in
      pullsAtDelivery.append(sequence.pulls)
      return .none
    }
    sequence.publisher.subscribe(recorder)
    #expect(pullsAtDelivery == (count == nil ? [2, 3, 4, 5] : [2, 3, 4]))
  }

  @Test func `An endless sequence is left off by a cancel`() {
    let sequence = Counted()
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { value in
      if value == 99 { recorder.cancel() }
      return .none
    }
    sequence.publisher.subscribe(recorder)
    #expect(recorder.values == Array(0..<100))
    #expect(recorder.completions.isEmpty)
    #expect(sequence.pulls == 101)
  }

  @Test func `Every subscriber gets an iterator of its own`() {
    let sequence = Counted()
    let publisher = sequence.publisher
    let first = Recorder<Int, Never>(demand: .max(2))
    let second = Recorder<Int, Never>(demand: .max(1))
    publisher.subscribe(first)
    publisher.subscribe(second)
    #expect(sequence.iterators == 2)
    first.request(.max(1))
    #expect(first.values == [0, 1, 2])
    #expect(second.values == [0])
    #expect(first.subscriptions[0].combineIdentifier != second.subscriptions[0].combineIdentifier)
  }

  // MARK: Cancelling

  @Test(arguments: [1, 5, nil])
  func `A cancel during a delivery ends it there`(_ count: Int?) {
    let recorder = Recorder<Int, Never>(demand: demand(count), answering: .max(1))
    recorder.onValue = { value in
      if value == 3 { recorder.cancel() }
      return .max(1)
    }
    (1...5).publisher.subscribe(recorder)
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.completions.isEmpty)
    recorder.request(.unlimited)
    #expect(recorder.values == [1, 2, 3])
  }

  @Test(arguments: [1, nil])
  func `A cancel during the last delivery suppresses the completion`(_ count: Int?) {
    let recorder = Recorder<Int, Never>(demand: demand(count))
    recorder.onValue = { _ in
      recorder.cancel()
      return .none
    }
    [1].publisher.subscribe(recorder)
    #expect(recorder.values == [1])
    #expect(recorder.completions.isEmpty)
  }

  @Test func `A cancel on receipt of the subscription leaves nothing to come`() {
    let recorder = Recorder<Int, Never>()
    recorder.onSubscription = { $0.cancel() }
    [1, 2].publisher.subscribe(recorder)
    #expect(recorder.events == [.subscription("[1, 2]")])
  }

  @Test func `A cancel between two requests ends the stream`() {
    let recorder = Recorder<Int, Never>(demand: .max(1))
    [1, 2].publisher.subscribe(recorder)
    recorder.cancel()
    recorder.cancel()
    recorder.request(.max(1))
    #expect(recorder.values == [1])
    #expect(recorder.completions.isEmpty)
  }

  // MARK: Descriptions

  @Test func `The subscription shows the sequence, and nothing of it after the end`() throws {
    let recorder = Recorder<Int, Never>(demand: .max(1))
    [1, 2, 3].publisher.subscribe(recorder)
    let subscription = try #require(recorder.subscriptions.first)
    #expect(Shown(of: subscription) == Shown("[1, 2, 3]", children: ["sequence"]))
    #expect(subscription.mirrored == ["[1, 2, 3]"])
    recorder.request(.unlimited)
    #expect(recorder.isFinished)
    #expect(Shown(of: subscription) == Shown("Sequence", children: ["sequence"]))
    #expect(subscription.mirrored == ["[]"])
  }

  @Test func `The subscription shows the sequence, and nothing of it after a cancel`() throws {
    let recorder = Recorder<Int, Never>(demand: nil)
    (1...3).publisher.subscribe(recorder)
    let subscription = try #require(recorder.subscriptions.first)
    #expect(Shown(of: subscription) == Shown("1...3", children: ["sequence"]))
    recorder.cancel()
    #expect(Shown(of: subscription) == Shown("Sequence", children: ["sequence"]))
    #expect(subscription.mirrored == ["[]"])
  }

  @Test func `The subscription shows nothing of the sequence when the completion comes`() {
    let recorder = Recorder<Int, Never>(demand: .max(1))
    var text = ""
    recorder.onCompletion = { _ in text = String(describing: recorder.subscriptions[0]) }
    [1].publisher.subscribe(recorder)
    #expect(text == "Sequence")
  }

  // MARK: The stack

  @Test(arguments: ["unlimited", "returned", "requested"])
  func `A million elements need no more stack than one`(_ road: String) {
    let count = 1_000_000
    let delivered = Locked(0)
    let finished = Locked(false)
    onSmallStack(kibibytes: 128) {
      let subscription = Locked<(any Subscription)?>(nil)
      let subscriber = AnySubscriber<Int, Never>(
        receiveSubscription: {
          subscription.change { [new = $0] in $0 = new }
          $0.request(road == "unlimited" ? .unlimited : .max(1))
        },
        receiveValue: { _ in
          delivered.change { $0 += 1 }
          if road == "requested" { subscription.value?.request(.max(1)) }
          return road == "returned" ? .max(1) : .none
        },
        receiveCompletion: { _ in finished.change { $0 = true } })
      (0..<count).publisher.subscribe(subscriber)
    }
    #expect(delivered.value == count)
    #expect(finished.value)
  }

  // MARK: Threads

  @Test func `Requests from several threads are served one at a time, and none is lost`() {
    for _ in 0..<20 {
      let probe = Recorder<Int, Never>(demand: nil)
      (0..<10_000).publisher.subscribe(probe)
      onThreads(4) { _ in
        for _ in 0..<500 { probe.request(.max(3)) }
      }
      #expect(probe.values == Array(0..<6_000))
      #expect(probe.completions.count == 0)
      #expect(probe.isSerial)
    }
  }

  @Test func `The end comes once, whichever thread asks for the last element`() {
    for _ in 0..<50 {
      let probe = Recorder<Int, Never>(demand: nil)
      (0..<400).publisher.subscribe(probe)
      onThreads(3) { _ in
        for _ in 0..<200 { probe.request(.max(1)) }
      }
      #expect(probe.values == Array(0..<400))
      #expect(probe.completions.count == 1)
      #expect(probe.isSerial)
    }
  }

  @Test func `A request while another thread is delivering returns at once, and that thread serves it`() {
    let threads = Locked<Set<UInt>>([])
    let probe = Recorder<Int, Never>(demand: nil)
    probe.onValue = { [unowned probe] value in
      threads.change { _ = $0.insert(currentThread()) }
      if value == 1 { elsewhere { probe.request(.max(2)) } }
      return .none
    }
    (1...5).publisher.subscribe(probe)
    probe.request(.max(1))
    #expect(probe.values == [1, 2, 3])
    #expect(threads.value.count == 1)
  }

  @Test(arguments: [3, nil])
  func `A cancel while another thread is delivering is the end`(_ count: Int?) {
    let probe = Recorder<Int, Never>(demand: nil)
    probe.onValue = { _ in
      elsewhere { probe.cancel() }
      return .max(1)
    }
    (1...5).publisher.subscribe(probe)
    probe.request(demand(count))
    #expect(probe.values == [1])
    #expect(probe.completions.count == 0)
  }

  @Test func `Cancels and requests may race`() {
    for _ in 0..<200 {
      let probe = Recorder<Int, Never>(demand: nil)
      (0..<1_000).publisher.subscribe(probe)
      onThreads(3) { index in
        if index == 0 { probe.cancel() } else { for _ in 0..<20 { probe.request(.max(2)) } }
      }
      let count = probe.values.count
      probe.request(.unlimited)
      #expect(probe.values == Array(0..<count))
      #expect(count <= 80)
      #expect(probe.completions.count == 0)
      #expect(probe.isSerial)
    }
  }

  // MARK: Lifetime

  /// A way for a stream to end, while the test keeps its subscription.
  enum Ending: String, CaseIterable, Sendable {
    case finished, cancelled, cancelledWithin
  }

  @Test(arguments: Ending.allCases)
  func `The end frees the subscriber and the sequence, even while the subscription is kept`(_ ending: Ending) {
    var graveyard = Graveyard()
    var kept: (any Subscription)?
    do {
      let recorder = graveyard.watch(Recorder<Canary, Never>(demand: nil), "subscriber")
      [graveyard.watch(Canary(), "element"), graveyard.watch(Canary(), "element ahead")].publisher.subscribe(recorder)
      kept = recorder.subscriptions[0]
      recorder.releaseSubscriptions()
      if ending == .cancelledWithin {
        recorder.onValue = { _ in
          kept?.cancel()
          return .none
        }
      }
    }
    #expect(graveyard.survivors.count == 3)
    if ending == .cancelled { kept?.cancel() } else { kept?.request(.unlimited) }
    #expect(graveyard.survivors == [])
    withExtendedLifetime(kept) {}
    #expect(kept?.combineIdentifier != nil)
  }

  @Test func `A subscription without another owner is freed with its subscriber`() {
    var graveyard = Graveyard()
    do {
      let recorder = graveyard.watch(Recorder<Canary, Never>(demand: .max(1)), "subscriber")
      [graveyard.watch(Canary()), graveyard.watch(Canary())].publisher.subscribe(recorder)
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors == [])
  }

  @Test func `A sink that is cancelled from its own closure stops, and frees the closure`() {
    var graveyard = Graveyard()
    var values: [Int] = []
    var cancel: () -> Void = {}
    func makeSink() -> Subscribers.Sink<Int, Never> {
      let canary = graveyard.watch(Canary(), "closure")
      return Subscribers.Sink(
        receiveCompletion: { _ in Issue.record("The stream was cancelled") },
        receiveValue: { value in
          withExtendedLifetime(canary) { values.append(value) }
          if value == 2 { cancel() }
        })
    }
    let sink = makeSink()
    cancel = { [unowned sink] in sink.cancel() }
    (1...5).publisher.subscribe(sink)
    #expect(values == [1, 2])
    #expect(graveyard.survivors == [])
    withExtendedLifetime(sink) {}
  }

  // MARK: Equality

  @Test func `Publishers of equal sequences are equal`() {
    #expect([1, 2].publisher == [1, 2].publisher)
    #expect([1, 2].publisher != [2, 1].publisher)
    #expect(Publishers.Sequence<[Int], TestError>(sequence: [1]) == .init(sequence: [1]))
    #expect(Publishers.Sequence<[Int], TestError>(sequence: [1]).sequence == [1])
  }

  @Test func `A sequence that does not describe itself shows the publisher's name`() {
    func shown(_ sequence: some Sequence<Int>) -> String {
      let recorder = Recorder<Int, Never>(demand: nil)
      sequence.publisher.subscribe(recorder)
      return recorder.subscriptionTexts[0]
    }
    #expect(shown([1, 2]) == "[1, 2]")
    #expect(shown(1...2) == "1...2")
    #expect(shown(stride(from: 1, to: 3, by: 1)) == "Sequence")
    #expect(shown((1...3).lazy.map { $0 }) == "Sequence")
    #expect(shown(AnySequence([1, 2]).dropFirst()) == "Sequence")
  }

  @Test(arguments: [Subscribers.Demand.unlimited, .max(5)])
  func `Nothing comes after a cancel that the sequence itself makes`(_ demand: Subscribers.Demand) {
    let recorder = Recorder<Int, Never>(demand: nil)
    let numbers = (1...).lazy.map { number in
      if number == 3 { recorder.cancel() }
      return number
    }
    numbers.publisher.subscribe(recorder)
    recorder.request(demand)
    #expect(recorder.values == [1])
    #expect(recorder.completions.isEmpty)
  }
}
