// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct ShareReplayTests {
  @Test func `The lines of the tour`() {
    let paper = Paper()
    let subject = PassthroughSubject<Int, Never>()
    let shared = subject.print("shareReplay", to: paper).shareReplay(capacity: 2)
    var cancellables: [AnyCancellable] = []
    func subscribe(_ number: Int) {
      shared.sink(
        receiveCompletion: { paper.write("subscription\(number) completed: \($0)\n") },
        receiveValue: { paper.write("subscription\(number) received \($0)\n") }
      ).store(in: &cancellables)
    }
    subject.send(0)
    subscribe(1)
    for value in 1...3 { subject.send(value) }
    subscribe(2)
    for value in 4...5 { subject.send(value) }
    subject.send(completion: .finished)
    paper.write("Subscribing to shareReplay after upstream completed\n")
    subscribe(3)
    #expect(
      paper.lines == [
        "shareReplay: receive subscription: (PassthroughSubject)",
        "shareReplay: request unlimited",
        "shareReplay: receive value: (1)",
        "subscription1 received 1",
        "shareReplay: receive value: (2)",
        "subscription1 received 2",
        "shareReplay: receive value: (3)",
        "subscription1 received 3",
        "subscription2 received 2",
        "subscription2 received 3",
        "shareReplay: receive value: (4)",
        "subscription1 received 4",
        "subscription2 received 4",
        "shareReplay: receive value: (5)",
        "subscription1 received 5",
        "subscription2 received 5",
        "shareReplay: receive finished",
        "subscription1 completed: finished",
        "subscription2 completed: finished",
        "Subscribing to shareReplay after upstream completed",
        "subscription3 received 4",
        "subscription3 received 5",
        "subscription3 completed: finished",
      ])
  }

  @Test(arguments: [0, 1, 2, 3, 10, .max])
  func `As many values as told are repeated, or as there were`(_ capacity: Int) {
    let source = PassthroughSubject<Int, TestError>()
    let shared = source.shareReplay(capacity: capacity)
    shared.subscribe(Recorder())
    for value in 1...5 { source.send(value) }
    let late = Recorder<Int, TestError>()
    shared.subscribe(late)
    #expect(late.values == Array((1...5).suffix(capacity)))
    source.send(6)
    source.send(completion: .failure(.oops))
    #expect(late.values == Array((1...5).suffix(capacity)) + [6])
    #expect(late.completions == [.failure(.oops)])
    let last = Recorder<Int, TestError>()
    shared.subscribe(last)
    #expect(last.values == Array((1...6).suffix(capacity)))
    #expect(last.completions == [.failure(.oops)])
  }

  @Test func `All values are repeated unless told`() {
    let shared = (1...1_000).publisher.shareReplay()
    #expect(shared.capacity == .max)
    for _ in 0..<3 {
      let recorder = Recorder<Int, Never>()
      shared.subscribe(recorder)
      #expect(recorder.values == Array(1...1_000))
      #expect(recorder.isFinished)
    }
  }

  @Test func `Upstream is subscribed to once, by the first, and asked for everything`() {
    let publisher = ManualPublisher<Int, TestError>()
    let shared = publisher.shareReplay(capacity: 1)
    #expect(publisher.subscribers.isEmpty)
    let recorders = (0..<3).map { _ in Recorder<Int, TestError>(demand: nil) }
    for recorder in recorders { shared.subscribe(recorder) }
    #expect(publisher.subscribers.count == 1)
    #expect(publisher.calls == [.requested(.unlimited)])
    #expect(recorders.allSatisfy { $0.subscriptionTexts == ["ShareReplay"] })
    #expect(publisher.send(1) == .none)
  }

  @Test func `An upstream without values completes everybody, asked or not`() {
    let publisher = ManualPublisher<Int, TestError>()
    let shared = publisher.shareReplay(capacity: 2)
    let (early, late) = (Recorder<Int, TestError>(demand: nil), Recorder<Int, TestError>(demand: nil))
    shared.subscribe(early)
    publisher.send(completion: .failure(.oops))
    shared.subscribe(late)
    for recorder in [early, late] {
      #expect(recorder.events == [.subscription("ShareReplay"), .completion(.failure(.oops))])
    }
  }

  // MARK: Demand

  @Test func `Each gets what it asks for, in its own time`() {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.shareReplay(capacity: 1)
    let (slow, fast) = (Recorder<Int, Never>(demand: nil), Recorder<Int, Never>())
    shared.subscribe(slow)
    shared.subscribe(fast)
    for value in 1...5 { source.send(value) }
    #expect(fast.values == [1, 2, 3, 4, 5])
    #expect(slow.values == [])
    slow.request(.max(2))
    #expect(slow.values == [1, 2])
    source.send(6)
    slow.request(.max(1))
    slow.request(.unlimited)
    #expect(slow.values == [1, 2, 3, 4, 5, 6])
    source.send(7)
    #expect(slow.values == [1, 2, 3, 4, 5, 6, 7])
  }

  @Test func `A demand that is returned counts`() {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.shareReplay(capacity: .max)
    shared.subscribe(Recorder())
    for value in 1...3 { source.send(value) }
    let recorder = Recorder<Int, Never>(demand: .max(1))
    recorder.onValue = { $0 < 2 ? .max(1) : .none }
    shared.subscribe(recorder)
    #expect(recorder.values == [1, 2])
    recorder.request(.max(2))
    #expect(recorder.values == [1, 2, 3])
    source.send(4)
    source.send(5)
    #expect(recorder.values == [1, 2, 3, 4])
  }

  @Test func `A request during a delivery is served behind it`() {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.shareReplay()
    let recorder = Recorder<Int, Never>(demand: nil)
    var depth = 0
    recorder.onValue = { _ in
      depth += 1
      #expect(depth == 1)
      recorder.request(.max(1))
      depth -= 1
      return .none
    }
    shared.subscribe(recorder)
    for value in 1...100 { source.send(value) }
    recorder.request(.max(1))
    #expect(recorder.values == Array(1...100))
  }

  @Test func `A hundred thousand values that wait do not grow the stack`() {
    onSmallStack {
      let shared = (1...100_000).publisher.shareReplay()
      let recorder = Recorder<Int, Never>(demand: nil)
      recorder.onValue = { _ in
        recorder.request(.max(1))
        return .none
      }
      shared.subscribe(recorder)
      recorder.request(.max(1))
      #expect(recorder.values.count == 100_000)
      #expect(recorder.isFinished)
    }
  }

  @Test func `A request for nothing, and a negative capacity, trap`() async {
    let nothing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let recorder = Recorder<Int, Never>(demand: nil)
      PassthroughSubject<Int, Never>().shareReplay(capacity: 1).subscribe(recorder)
      recorder.request(.none)
    }
    expectMessage(nothing, "request(.none)")
    let negative = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Empty<Int, Never>().shareReplay(capacity: -1)
    }
    expectMessage(negative, "shareReplay takes a count of 0 or more")
    let counted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Empty<Int, Never>().share(replay: -1)
    }
    expectMessage(counted, "share(replay:) takes a count of 0 or more")
  }

  // MARK: During deliveries

  @Test(arguments: [0, 1, 2])
  func `Who joins during a delivery gets the value among the repeated ones only`(_ capacity: Int) {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.shareReplay(capacity: capacity)
    let (first, second, joining) = (Recorder<Int, Never>(), Recorder<Int, Never>(), Recorder<Int, Never>())
    first.onValue = { value in
      if value == 2 { shared.subscribe(joining) }
      return .none
    }
    shared.subscribe(first)
    shared.subscribe(second)
    for value in 1...3 { source.send(value) }
    #expect(joining.values == [[3], [2, 3], [1, 2, 3]][capacity])
    #expect(second.values == [1, 2, 3])
  }

  @Test func `A send during a delivery keeps the order for all subscribers`() {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.shareReplay(capacity: 3)
    let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    first.onValue = { value in
      if value < 3 { source.send(value + 1) }
      return .none
    }
    shared.subscribe(first)
    shared.subscribe(second)
    source.send(1)
    #expect(first.values == [1, 2, 3])
    #expect(second.values == [1, 2, 3])
  }

  @Test func `A cancel during a delivery stops the replay at once`() {
    let shared = (1...5).publisher.shareReplay()
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { value in
      if value == 2 { recorder.cancel() }
      return .none
    }
    shared.subscribe(recorder)
    #expect(recorder.values == [1, 2])
    #expect(recorder.completions.isEmpty)
  }

  @Test func `An upstream that ends during a delivery ends behind the value`() {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.shareReplay(capacity: 1)
    let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    first.onValue = { _ in
      source.send(completion: .finished)
      return .none
    }
    shared.subscribe(first)
    shared.subscribe(second)
    source.send(1)
    for recorder in [first, second] {
      #expect(recorder.events == [.subscription("ShareReplay"), .value(1), .completion(.finished)])
    }
  }

  // MARK: Descriptions and identity

  @Test func `Texts`() {
    let publisher = ManualPublisher<Int, TestError>()
    let shared = publisher.shareReplay(capacity: 1)
    let recorder = Recorder<Int, TestError>(demand: .max(3))
    shared.subscribe(recorder)
    let labels = ["parent", "downstream", "demand", "subject"]
    #expect(Shown(of: recorder.subscriptions[0]) == Shown("ShareReplay", children: labels))
    #expect(
      Shown(of: publisher.subscribers[0]) == Shown("ShareReplay", children: ["upstreamSubscription"]))
  }

  @Test func `Equal to itself only`() {
    let source = Just(1)
    let shared = source.shareReplay()
    #expect(shared == shared)
    #expect(shared != source.shareReplay())
    #expect(shared.upstream == source)
    #expect(!shared.stopsWithoutSubscribers && source.share(replay: 1).stopsWithoutSubscribers)
  }

  @Test func `An upstream that breaks the rules does no harm`() {
    let publisher = ManualPublisher<Int, TestError>(subscription: nil)
    let shared = publisher.shareReplay()
    let recorder = Recorder<Int, TestError>()
    shared.subscribe(recorder)
    publisher.send(1)
    let (first, second) = (ManualSubscription(), ManualSubscription())
    publisher.send(subscription: first)
    publisher.send(subscription: second)
    #expect(first.calls == [.requested(.unlimited)])
    #expect(second.calls == [.cancelled])
    publisher.send(2)
    publisher.send(completion: .finished)
    publisher.send(3)
    publisher.send(completion: .failure(.oops))
    #expect(recorder.values == [2])
    #expect(recorder.completions == [.finished])
  }
}
