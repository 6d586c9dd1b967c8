// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

@Suite struct ExpandTests {
  private let source = ManualPublisher<Int, TestError>()
  /// The publisher of each value from 0 on.
  private let inner = (0..<8).map { _ in ManualPublisher<Int, TestError>() }

  private func subscribe(_ recorder: Recorder<Int, TestError>, maxPublishers: Subscribers.Demand = .unlimited) {
    source.expand(maxPublishers: maxPublishers) { [inner] in inner[$0] }.subscribe(recorder)
  }

  /// The numbers below 8 as a tree: 1 leads to 2 and 3, 2 to 4 and 5, 3 to 6 and 7.
  private static func children(_ parent: Int) -> Publishers.Sequence<[Int], Never> {
    (parent < 4 ? [2 * parent, 2 * parent + 1] : []).publisher
  }

  // MARK: Values

  @Test(arguments: [.unlimited, .max(1), .max(2)] as [Subscribers.Demand])
  func `Values are published before their own, level by level`(_ maxPublishers: Subscribers.Demand) {
    for demand in [Subscribers.Demand.unlimited, .max(1)] {
      let recorder = Recorder<Int, Never>(demand: demand, answering: demand)
      Just(1).expand(maxPublishers: maxPublishers, Self.children).subscribe(recorder)
      #expect(recorder.values == Array(1...7))
      #expect(recorder.isFinished)
      #expect(recorder.subscriptionTexts == ["Expand"])
    }
  }

  @Test func `Publishers run at the same time, and their values are mixed and expanded in turn`() {
    let recorder = Recorder<Int, TestError>()
    subscribe(recorder)
    source.send(0)
    source.send(1)
    inner[1].send(2)
    inner[0].send(3)
    inner[2].send(4)
    inner[1].send(5)
    #expect(recorder.values == [0, 1, 2, 3, 4, 5])
    #expect(inner.prefix(6).allSatisfy { $0.subscribers.count == 1 })
    source.send(completion: .finished)
    for index in [1, 0, 2, 3, 5] { inner[index].send(completion: .finished) }
    #expect(recorder.completions.isEmpty)
    inner[4].send(completion: .finished)
    #expect(recorder.isFinished)
  }

  @Test func `As many run as are allowed, and the others follow in the order of their values`() {
    let recorder = Recorder<Int, TestError>()
    subscribe(recorder, maxPublishers: .max(2))
    source.send(0)
    source.send(1)
    inner[1].send(2)
    inner[0].send(3)
    inner[1].send(4)
    #expect(recorder.values == [0, 1, 2, 3, 4])
    #expect(inner.map(\.subscribers.count) == [1, 1, 0, 0, 0, 0, 0, 0])
    inner[0].send(completion: .finished)
    #expect(inner.map(\.subscribers.count) == [1, 1, 1, 0, 0, 0, 0, 0])
    inner[2].send(completion: .finished)
    inner[1].send(completion: .finished)
    #expect(inner.map(\.subscribers.count) == [1, 1, 1, 1, 1, 0, 0, 0])
  }

  @Test func `A value that is sent during a delivery follows it, and is expanded after it`() {
    let (subject, order) = (PassthroughSubject<Int, Never>(), Locked<[Int]>([]))
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { value in
      if value == 1 { subject.send(2) }
      return .none
    }
    subject.expand { value -> Empty<Int, Never> in
      order.change { $0.append(value) }
      return Empty()
    }
    .subscribe(recorder)
    subject.send(1)
    #expect(recorder.values == [1, 2])
    #expect(order.value == [1, 2])
    #expect(recorder.isSerial)
  }

  @Test func `A value that the closure causes upstream to send is published`() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    subject.expand { value -> AnyPublisher<Int, Never> in
      if value == 1 { subject.send(2) }
      return value == 1 ? Just(10).eraseToAnyPublisher() : Empty().eraseToAnyPublisher()
    }
    .subscribe(recorder)
    subject.send(1)
    #expect(recorder.values == [1, 2, 10])
  }

  @Test func `Asynchronous publishers are expanded as they deliver`() {
    let scheduler = VirtualTimeScheduler()
    let recorder = Recorder<Int, Never>()
    Just(1).expand(maxPublishers: .max(1)) { Self.children($0).delay(for: 1, scheduler: scheduler) }.subscribe(recorder)
    #expect(recorder.values == [1])
    scheduler.advance(by: 1)
    #expect(recorder.values == [1, 2, 3])
    scheduler.advance(by: 1)
    #expect(recorder.values == [1, 2, 3, 4, 5])
    scheduler.advance(by: 10)
    #expect(recorder.values == Array(1...7))
    #expect(recorder.isFinished)
  }

  // MARK: Demand

  @Test func `Upstream is asked for no more than downstream has requested`() {
    let recorder = Recorder<Int, TestError>(demand: nil)
    subscribe(recorder)
    #expect(source.calls.isEmpty)
    recorder.request(.max(2))
    recorder.request(.max(1))
    #expect(source.calls == [.requested(.max(2)), .requested(.max(1))])
    #expect(source.send(0) == .none)
    // One value, which the publisher of 0 may deliver in place of upstream.
    #expect(inner[0].calls == [.requested(.max(1))])
    #expect(inner[0].send(1) == .max(1))
    #expect(inner[0].send(2) == .max(1))
    #expect(inner[0].send(3) == .none)
    #expect(source.send(4) == .none)
    #expect(recorder.values == [0, 1, 2])
    // Nothing has been expanded that has not been published, and upstream still owes one value.
    #expect(inner[3].subscribers.isEmpty && inner[4].subscribers.isEmpty)
    recorder.request(.max(2))
    #expect(recorder.values == [0, 1, 2, 3, 4])
    #expect(inner[0].calls == [.requested(.max(1)), .requested(.max(1))])
    #expect(source.calls.count == 2)
    recorder.request(.max(2))
    #expect(source.calls == [.requested(.max(2)), .requested(.max(1)), .requested(.max(1))])
    #expect(recorder.complaints.isEmpty)
  }

  @Test func `Upstream is asked only while fewer run, wait to run and have been requested than are allowed`() {
    let recorder = Recorder<Int, TestError>()
    subscribe(recorder, maxPublishers: .max(2))
    #expect(source.calls == [.requested(.max(2))])
    #expect(source.send(0) == .none)
    #expect(inner[0].calls == [.requested(.unlimited)])
    inner[0].send(1)
    inner[0].send(2)
    inner[0].send(completion: .finished)
    #expect(inner[2].subscribers.count == 1)
    // 1 and 2 run, and one value is still to come.
    inner[1].send(completion: .finished)
    #expect(source.calls == [.requested(.max(2))])
    inner[2].send(completion: .finished)
    #expect(source.calls == [.requested(.max(2)), .requested(.max(1))])
    #expect(source.send(3) == .none)
    #expect(source.send(4) == .none)
    inner[3].send(completion: .finished)
    #expect(source.calls == [.requested(.max(2)), .requested(.max(1)), .requested(.max(1))])
  }

  @Test func `A request that finds a value about to be expanded counts it`() {
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    subscribe(recorder, maxPublishers: .max(2))
    // Requested while 0 is turned into a publisher, which never ends.
    inner[0].onSubscribe = { recorder.request(.max(5)) }
    source.send(0)
    #expect(source.calls == [.requested(.max(1)), .requested(.max(1))])
  }

  @Test func `Unlimited demand reaches upstream and all publishers, once`() {
    let recorder = Recorder<Int, TestError>(demand: .max(2))
    subscribe(recorder)
    source.send(0)
    source.send(1)
    inner[1].send(2)
    recorder.request(.unlimited)
    recorder.request(.unlimited)
    #expect(source.calls == [.requested(.max(2)), .requested(.unlimited)])
    #expect(inner[0].calls == [.requested(.max(1)), .requested(.unlimited)])
    #expect(inner[1].calls.last == .requested(.unlimited))
    #expect(inner[2].calls == [.requested(.unlimited)])
    #expect(inner[2].send(3) == .none)
    #expect(recorder.values == [0, 1, 2, 3])
  }

  @Test(arguments: [true, false])
  func `Demand from a delivery counts at once`(_ isReturned: Bool) {
    let recorder = Recorder<Int, Never>(demand: .max(1))
    recorder.onValue = { value in
      guard value < 5 else { return .none }
      if isReturned { return .max(1) }
      recorder.request(.max(1))
      return .none
    }
    Just(1).expand(Self.children).subscribe(recorder)
    #expect(recorder.values == Array(1...5))
    #expect(recorder.completions.isEmpty)
    recorder.request(.max(2))
    #expect(recorder.values == Array(1...7))
    #expect(recorder.isFinished)
    #expect(recorder.complaints.isEmpty)
  }

  @Test func `The next page is fetched when the one before has been requested`() {
    let fetched = Locked<[Int]>([])
    let recorder = Recorder<Int, Never>(demand: .max(1))
    Just(1).expand { page -> AnyPublisher<Int, Never> in
      fetched.change { $0.append(page + 1) }
      return Just(page + 1).eraseToAnyPublisher()
    }
    .subscribe(recorder)
    // One value in advance.
    #expect(fetched.value == [2])
    recorder.request(.max(2))
    #expect(recorder.values == [1, 2, 3])
    #expect(fetched.value == [2, 3, 4])
    recorder.cancel()
  }

  @Test func `A request for nothing, and no publisher at all, trap`() async {
    let nothing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let recorder = Recorder<Int, Never>(demand: nil)
      Just(1).expand { _ in Empty<Int, Never>() }.subscribe(recorder)
      recorder.subscription?.request(.none)
    }
    expectMessage(nothing, "A subscription was asked for no values")
    let none = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Just(1).setFailureType(to: TestError.self).expand(maxPublishers: .none) { _ in Empty<Int, TestError>() }
    }
    expectMessage(none, "expand(maxPublishers:_:) takes a count of 1 or more")
  }

  // MARK: Ends

  @Test func `Upstream that ends while values wait for demand, or to be expanded, is not the end`() {
    let recorder = Recorder<Int, TestError>(demand: .max(2))
    subscribe(recorder, maxPublishers: .max(1))
    source.send(0)
    source.send(completion: .finished)
    inner[0].send(1)
    inner[0].send(2)
    inner[0].send(completion: .finished)
    #expect(recorder.values == [0, 1])
    inner[1].send(completion: .finished)
    #expect(recorder.completions.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.values == [0, 1, 2])
    #expect(recorder.completions.isEmpty)
    inner[2].send(completion: .finished)
    #expect(recorder.isFinished)
  }

  @Test func `An upstream without values is forwarded`() {
    let recorder = Recorder<Int, TestError>(demand: nil)
    subscribe(recorder)
    source.send(completion: .finished)
    #expect(recorder.isFinished)
  }

  @Test func `The end of the last publisher during a delivery waits until the value has been expanded`() {
    let recorder = Recorder<Int, TestError>()
    subscribe(recorder)
    source.send(0)
    source.send(completion: .finished)
    recorder.onValue = { [inner] value in
      if value == 1 { inner[0].send(completion: .finished) }
      return .none
    }
    inner[0].send(1)
    #expect(recorder.completions.isEmpty)
    inner[1].send(2)
    #expect(recorder.values == [0, 1, 2])
  }

  @Test(arguments: [true, false])
  func `The first failure is forwarded at once, and cancels the others`(_ isInner: Bool) {
    let recorder = Recorder<Int, TestError>(demand: .max(2))
    subscribe(recorder, maxPublishers: .max(2))
    source.send(0)
    source.send(1)
    inner[0].send(2)
    if isInner { inner[1].send(completion: .failure(.oops)) } else { source.send(completion: .failure(.oops)) }
    inner[0].send(3)
    #expect(recorder.values == [0, 1])
    #expect(recorder.completions == [.failure(.oops)])
    #expect(inner[0].subscription?.cancellations == 1)
    #expect(inner[1].subscription?.cancellations == (isInner ? 0 : 1))
    #expect(source.subscription?.cancellations == (isInner ? 1 : 0))
  }

  @Test func `Publishers that can fail, and those that cannot, go with any upstream`() {
    let failing = Recorder<Int, TestError>()
    Just(1).expand { $0 < 3 ? Result<Int, TestError>.Publisher($0 + 1) : .init(.oops) }.subscribe(failing)
    #expect(failing.values == [1, 2, 3])
    #expect(failing.completions == [.failure(.oops)])
    let safe = Recorder<Int, TestError>()
    Result<Int, TestError>.Publisher(1).expand(Self.children).subscribe(safe)
    #expect(safe.values == Array(1...7))
    #expect(safe.isFinished)
  }

  @Test func `A cancel goes to all`() {
    let recorder = Recorder<Int, TestError>()
    subscribe(recorder)
    source.send(0)
    inner[0].send(1)
    recorder.onValue = { _ in
      recorder.cancel()
      return .none
    }
    inner[1].send(2)
    inner[0].send(3)
    source.send(4)
    #expect(recorder.values == [0, 1, 2])
    #expect(inner[2].subscribers.isEmpty)
    #expect(recorder.completions.isEmpty)
    #expect(source.subscription?.cancellations == 1)
    #expect(inner[0].subscription?.cancellations == 1)
    #expect(inner[1].subscription?.cancellations == 1)
  }

  @Test func `A cancel while the closure runs reaches the publisher that it makes`() {
    let (recorder, made) = (Recorder<Int, TestError>(), ManualPublisher<Int, TestError>())
    source.expand { _ in
      recorder.cancel()
      return made
    }
    .subscribe(recorder)
    source.send(0)
    #expect(made.subscribers.isEmpty)
    #expect(source.subscription?.cancellations == 1)

    let other = Recorder<Int, TestError>()
    source.expand { _ in made }.subscribe(other)
    made.onSubscribe = { other.cancel() }
    source.send(0)
    made.send(1)
    #expect(other.values == [0])
    #expect(made.subscription?.cancellations == 1)
  }

  // MARK: The stack and memory

  @Test func `A chain of hundreds of thousands of values does not overflow the stack`() {
    let count = 1_000_000.sampled(oneIn: 5)
    onSmallStack {
      let (last, end) = (Locked(0), Locked(0))
      let cancellable = Just(0).expand { value -> Optional<Int>.Publisher in
        .init(value < count ? value + 1 : nil)
      }
      .sink(receiveCompletion: { _ in end.change { $0 += 1 } }, receiveValue: { value in last.change { $0 = value } })
      #expect(last.value == count && end.value == 1)
      withExtendedLifetime(cancellable) {}
    }
  }

  @Test(arguments: [.max(1), .max(3), .unlimited] as [Subscribers.Demand])
  func `Chains that are requested value by value do not overflow the stack`(_ maxPublishers: Subscribers.Demand) {
    onSmallStack {
      let recorder = Recorder<Int, Never>(demand: .max(1), answering: .max(1))
      (0..<1_000).publisher.expand(maxPublishers: maxPublishers) { value -> Optional<Int>.Publisher in
        .init(value < 100_000 ? value + 1_000 : nil)
      }
      .subscribe(recorder)
      #expect(recorder.values.count == 101_000)
      #expect(recorder.values.sorted() == Array(0..<101_000))
      #expect(recorder.isFinished)
      #expect(recorder.complaints.isEmpty)
    }
  }

  @Test(arguments: ["finish", "cancel", "fail"])
  func `Nothing is left`(_ end: String) {
    var graveyard = Graveyard()
    do {
      let source = graveyard.watch(PassthroughSubject<Canary, TestError>(), "upstream")
      let inner = (0..<2).map { graveyard.watch(PassthroughSubject<Canary, TestError>(), "inner \($0)") }
      let captured = graveyard.watch(Canary(), "captured")
      var left = inner[...]
      let recorder = graveyard.watch(Recorder<Canary, TestError>(demand: .max(3)), "downstream")
      source.expand(maxPublishers: .max(2)) { [captured] _ -> AnyPublisher<Canary, TestError> in
        withExtendedLifetime(captured) {}
        return left.popFirst()?.eraseToAnyPublisher() ?? Empty().eraseToAnyPublisher()
      }
      .subscribe(recorder)
      for _ in 0..<2 { source.send(graveyard.watch(Canary(), "root")) }
      inner[0].send(graveyard.watch(Canary(), "waiting to be expanded"))
      inner[1].send(graveyard.watch(Canary(), "waiting for demand"))
      switch end {
      case "finish":
        recorder.request(.unlimited)
        inner.forEach { $0.send(completion: .finished) }
        source.send(completion: .finished)
        #expect(recorder.isFinished)
      case "cancel": recorder.cancel()
      default: inner[1].send(completion: .failure(.oops))
      }
      left = []
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `What the closure keeps is released with the stream`() {
    let (source, recorder) = (PassthroughSubject<Int, Never>(), Recorder<Int, Never>())
    weak var kept: Canary?
    do {
      let canary = Canary()
      kept = canary
      source.expand { [canary] _ in withExtendedLifetime(canary) { Empty<Int, Never>() } }.subscribe(recorder)
    }
    #expect(kept != nil)
    recorder.cancel()
    #expect(kept == nil)
  }

  // MARK: Threads

  @Test func `Publishers on several threads lose nothing`() {
    for round in 0..<40 {
      let subjects = (0..<4).map { _ in PassthroughSubject<Int, Never>() }
      let isLimited = round.isMultiple(of: 2)
      let recorder = Recorder<Int, Never>(demand: isLimited ? .max(1) : .unlimited, answering: .max(1))
      let running = Locked((now: 0, most: 0))
      (0..<4).publisher.expand(maxPublishers: .max(6)) { value -> AnyPublisher<Int, Never> in
        running.change { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        let inner: AnyPublisher<Int, Never> =
          switch value {
          case 0..<4:
            subjects[value].buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest).eraseToAnyPublisher()
          case 1_000..<10_000: [10_000 + value, 20_000 + value].publisher.eraseToAnyPublisher()
          default: Empty().eraseToAnyPublisher()
          }
        return inner.handleEvents(receiveCompletion: { _ in running.change { $0.now -= 1 } }).eraseToAnyPublisher()
      }
      .subscribe(recorder)
      onThreads(4) { thread in
        for value in 0..<100 { subjects[thread].send(1_000 * (thread + 1) + value) }
        subjects[thread].send(completion: .finished)
      }
      let sent = (0..<4).flatMap { thread in (0..<100).map { 1_000 * (thread + 1) + $0 } }
      #expect(recorder.values.sorted() == Array(0..<4) + sent + sent.map { $0 + 10_000 } + sent.map { $0 + 20_000 })
      #expect(recorder.isFinished)
      #expect(!recorder.hasOverlapped)
      #expect(running.value.now == 0 && running.value.most <= 6)
    }
  }

  @Test func `Requests on several threads get each value once`() {
    for round in 0..<40 {
      let recorder = Recorder<Int, Never>(demand: nil)
      (0..<10).publisher.expand(maxPublishers: round.isMultiple(of: 2) ? .max(2) : .unlimited) {
        value -> Optional<Int>.Publisher in
        .init(value < 590 ? value + 10 : nil)
      }
      .subscribe(recorder)
      onThreads(3) { _ in for _ in 0..<200 { recorder.request(.max(1)) } }
      #expect(recorder.values.sorted() == Array(0..<600))
      #expect(recorder.isFinished)
      #expect(!recorder.hasOverlapped)
    }
  }

  @Test func `A cancel beside deliveries leaves nothing running`() {
    for _ in 0..<100 {
      let subjects = (0..<3).map { _ in PassthroughSubject<Int, Never>() }
      let recorder = Recorder<Int, Never>()
      let cancelled = Locked(0)
      (0..<2).publisher.append(Empty(completeImmediately: false)).expand { value -> AnyPublisher<Int, Never> in
        subjects[min(value, 2)].handleEvents(receiveCancel: { cancelled.change { $0 += 1 } }).eraseToAnyPublisher()
      }
      .subscribe(recorder)
      onThreads(3) { thread in
        if thread == 2 { return recorder.cancel() }
        for value in 2..<20 { subjects[thread].send(value) }
      }
      #expect(!recorder.hasOverlapped)
      #expect(cancelled.value >= 2)
      let count = recorder.values.count
      subjects.forEach { $0.send(5) }
      #expect(recorder.values.count == count)
    }
  }
}
