// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct ReplaySubjectTests {
  @Test(arguments: [0, 1, 2, .max])
  func `A new subscriber gets the latest values, then live ones`(_ capacity: Int) {
    let subject = ReplaySubject<Int, TestError>(capacity: capacity)
    for value in 1...3 { subject.send(value) }
    let recorder = Recorder<Int, TestError>()
    subject.subscribe(recorder)
    subject.send(4)
    #expect(recorder.values == Array((1...3).suffix(capacity)) + [4])
    #expect(recorder.subscriptionTexts == ["ReplaySubject"])
    recorder.cancel()
  }

  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `The completion is replayed behind the values, and nothing follows it`(
    _ end: Subscribers.Completion<TestError>
  ) {
    let subject = ReplaySubject<Int, TestError>(capacity: 2)
    let early = Recorder<Int, TestError>()
    subject.subscribe(early)
    for value in 1...3 { subject.send(value) }
    subject.send(completion: end)
    subject.send(4)
    subject.send(completion: .finished)
    let late = Recorder<Int, TestError>(demand: .max(1))
    subject.subscribe(late)
    #expect(early.values == [1, 2, 3] && early.completions == [end])
    #expect(late.values == [2] && late.completions.isEmpty)
    late.request(.max(1))
    #expect(late.values == [2, 3] && late.completions == [end])
  }

  @Test func `A completion needs no request if no value waits`() {
    let subject = ReplaySubject<Int, TestError>(capacity: 0)
    let (early, late) = (Recorder<Int, TestError>(demand: nil), Recorder<Int, TestError>(demand: nil))
    subject.subscribe(early)
    subject.send(completion: .failure(.oops))
    subject.subscribe(late)
    #expect(early.completions == [.failure(.oops)] && late.completions == [.failure(.oops)])
  }

  @Test func `Demand is counted for each subscriber, and what is not requested waits`() {
    let subject = ReplaySubject<Int, Never>(capacity: 1)
    let (slow, fast) = (Recorder<Int, Never>(demand: .max(1)), Recorder<Int, Never>())
    subject.subscribe(slow)
    subject.subscribe(fast)
    for value in 1...4 { subject.send(value) }
    #expect(slow.values == [1] && fast.values == [1, 2, 3, 4])
    slow.request(.max(2))
    #expect(slow.values == [1, 2, 3])
    slow.request(.unlimited)
    #expect(slow.values == [1, 2, 3, 4] && slow.complaints.isEmpty)
    for recorder in [slow, fast] { recorder.cancel() }
  }

  @Test func `A replay goes on with the demand of its deliveries`() {
    for isReturned in [false, true] {
      let subject = ReplaySubject<Int, Never>()
      for value in 1...50_000 { subject.send(value) }
      let recorder = Recorder<Int, Never>(demand: nil)
      recorder.onValue = { [unowned recorder] _ in
        if !isReturned { recorder.request(.max(1)) }
        return isReturned ? .max(1) : .none
      }
      subject.subscribe(recorder)
      onSmallStack { recorder.request(.max(1)) }
      #expect(recorder.values == Array(1...50_000) && recorder.isSerial)
      recorder.cancel()
    }
  }

  @Test func `A value sent during a delivery reaches each subscriber after it`() {
    let subject = ReplaySubject<Int, Never>(capacity: 3)
    let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    first.onValue = { value in
      if value == 1 { subject.send(2) }
      return .none
    }
    subject.subscribe(first)
    subject.subscribe(second)
    subject.send(1)
    #expect(first.values == [1, 2] && second.values == [1, 2])
    #expect(first.isSerial && second.isSerial)
    for recorder in [first, second] { recorder.cancel() }
  }

  @Test func `A cancel within the replay is the end`() {
    let subject = ReplaySubject<Int, Never>()
    for value in 1...5 { subject.send(value) }
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { [unowned recorder] value in
      if value == 3 { recorder.cancel() }
      return .none
    }
    subject.subscribe(recorder)
    subject.send(6)
    #expect(recorder.values == [1, 2, 3] && recorder.complaints.isEmpty)
  }

  /// A peer keys its subscribers by their identifier: if two have the same, the second silences the first.
  @Test func `Subscribers with the same identifier are two subscribers`() {
    let subject = ReplaySubject<Int, Never>(capacity: 1)
    let identifier = CombineIdentifier()
    let (first, second) = (Twin(identifier), Twin(identifier))
    subject.send(1)
    for twin in [first, second] { subject.subscribe(twin) }
    subject.send(2)
    first.subscription.value?.cancel()
    subject.send(3)
    #expect(first.values.value == [1, 2] && second.values.value == [1, 2, 3])
    second.subscription.value?.cancel()
  }

  /// A peer's two subscriptions of one subscriber end together.
  @Test func `One subscriber may subscribe twice`() {
    let subject = ReplaySubject<Int, Never>(capacity: 1)
    let twin = Twin(CombineIdentifier())
    subject.subscribe(twin)
    subject.subscribe(twin)
    subject.send(1)
    twin.subscription.value?.cancel()
    subject.send(2)
    #expect(twin.values.value == [1, 1, 2])
    twin.subscription.change { $0 = nil }
  }

  private final class Twin: Subscriber, @unchecked Sendable {
    let combineIdentifier: CombineIdentifier
    let values = Locked<[Int]>([])
    let subscription = Locked<(any Subscription)?>(nil)

    init(_ identifier: CombineIdentifier) { combineIdentifier = identifier }

    func receive(subscription: any Subscription) {
      self.subscription.change { $0 = subscription }
      subscription.request(.unlimited)
    }

    func receive(_ input: Int) -> Subscribers.Demand {
      values.change { $0.append(input) }
      return .none
    }

    func receive(completion: Subscribers.Completion<Never>) {}
  }

  // MARK: Upstream

  @Test func `It takes everything from an upstream at once, and forgets one that ends`() {
    var graveyard = Graveyard()
    let subject = ReplaySubject<Int, TestError>(capacity: 2)
    let publisher = ManualPublisher<Int, TestError>()
    let cancellable = publisher.subscribe(subject)
    #expect(publisher.calls == [.requested(.unlimited)])
    for value in 1...3 { publisher.send(value) }
    publisher.send(completion: .finished)
    let recorder = Recorder<Int, TestError>()
    subject.subscribe(recorder)
    #expect(recorder.values == [2, 3] && recorder.isFinished)
    cancellable.cancel()
    #expect(publisher.subscription?.cancellations == 0)
    let other = ReplaySubject<Int, Never>()
    for _ in 0..<3 {
      let source = graveyard.watch(PassthroughSubject<Int, Never>(), "source")
      let cancellable = source.subscribe(other)
      source.send(1)
      cancellable.cancel()
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `An upstream does not keep it alive, and is cancelled with it`() {
    let (publisher, other) = (ManualPublisher<Int, Never>(), ManualPublisher<Int, Never>())
    var graveyard = Graveyard()
    var cancellable: AnyCancellable?
    do {
      let subject = graveyard.watch(ReplaySubject<Int, Never>(), "subject")
      cancellable = publisher.subscribe(subject)
      subject.send(subscription: other.subscription!)
    }
    #expect(graveyard.survivors.isEmpty && cancellable != nil)
    #expect(publisher.subscription?.cancellations == 1 && other.subscription?.cancellations == 1)
  }

  // MARK: Lifetimes

  @Test func `Subscribers and values that are not replayed are released`() {
    for end in ["cancel", "finish"] {
      var graveyard = Graveyard()
      let subject = ReplaySubject<Canary, Never>(capacity: 0)
      do {
        let recorder = graveyard.watch(Recorder<Canary, Never>(demand: .max(2)), "recorder")
        subject.subscribe(recorder)
        for _ in 0..<3 { subject.send(graveyard.watch(Canary(), "value")) }
        if end == "cancel" {
          recorder.cancel()
        } else {
          subject.send(completion: .finished)
          recorder.request(.max(1))
          #expect(recorder.isFinished)
        }
        recorder.releaseSubscriptions()
      }
      #expect(graveyard.survivors.isEmpty, "after \(end)")
    }
  }

  @Test func `A value beyond the capacity is released at once, unless a subscriber waits for it`() {
    var graveyard = Graveyard()
    let subject = ReplaySubject<Canary, Never>(capacity: 2)
    for _ in 0..<5 { subject.send(graveyard.watch(Canary())) }
    #expect(graveyard.survivors.count == 2)
    let slow = Recorder<Canary, Never>(demand: nil)
    subject.subscribe(slow)
    for _ in 0..<5 { subject.send(graveyard.watch(Canary())) }
    #expect(graveyard.survivors.count == 7)
    slow.cancel()
    #expect(graveyard.survivors.count == 2)
  }

  @Test func `Who cancels while a value is delivered holds none of the later ones back`() {
    var graveyard = Graveyard()
    let subject = ReplaySubject<Canary, Never>(capacity: 1)
    var cancellable: AnyCancellable?
    cancellable = subject.sink { _ in cancellable?.cancel() }
    for number in 1...4 { subject.send(graveyard.watch(Canary(), "\(number)")) }
    #expect(graveyard.survivors == ["4"])
    cancellable = nil
  }

  @Test func `A negative capacity traps`() async {
    let subject = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ReplaySubject<Int, Never>(capacity: -1)
    }
    expectMessage(subject, "ReplaySubject takes a count of 0 or more")
    let relay = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ReplayRelay<Int>(capacity: -1)
    }
    expectMessage(relay, "ReplayRelay takes a count of 0 or more")
  }

  // MARK: Threads

  @Test func `Whoever joins while several threads send sees no gap, no duplicate and one order`() {
    for capacity in [0, 1, 7, Int.max] {
      let subject = ReplaySubject<Int, Never>(capacity: capacity)
      let staying = Recorder<Int, Never>()
      subject.subscribe(staying)
      let joined = Locked<[Recorder<Int, Never>]>([])
      onThreads(4) { thread in
        for number in 0..<150 {
          if thread < 2 {
            subject.send(thread * 1_000 + number)
          } else {
            let recorder = Recorder<Int, Never>(demand: .max(1), answering: .max(1))
            subject.subscribe(recorder)
            if number.isMultiple(of: 2) { recorder.cancel() }
            joined.change { $0.append(recorder) }
          }
        }
      }
      #expect(staying.values.count == 300 && !staying.hasOverlapped)
      let places = Dictionary(uniqueKeysWithValues: staying.values.enumerated().map { ($1, $0) })
      for recorder in joined.value {
        let order = recorder.values.compactMap { places[$0] }
        #expect(zip(order, order.dropFirst()).allSatisfy { $0 + 1 == $1 } && !recorder.hasOverlapped)
        recorder.cancel()
      }
      staying.cancel()
    }
  }

  @Test func `A completion that races with subscribers reaches each of them once`() {
    for _ in 0..<100 {
      let subject = ReplaySubject<Int, Never>(capacity: 1)
      let recorders = (0..<8).map { _ in Recorder<Int, Never>() }
      subject.send(1)
      onThreads(3) { thread in
        if thread == 0 { return subject.send(completion: .finished) }
        for recorder in recorders[((thread - 1) * 4)..<(thread * 4)] { subject.subscribe(recorder) }
      }
      #expect(recorders.allSatisfy { $0.values == [1] && $0.completions.count == 1 && !$0.hasOverlapped })
    }
  }
}
