// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Metrics
  import CoreMetrics
  import MetricsTestKit
  import PenstockConcurrency
  import PenstockMetrics
  import PenstockOperators
  import PenstockTesting
  import TestSupport
  import Testing

  @Suite struct MeteredTests {
    private let bench = MetricsBench()

    @Test func `Values are counted, and reported at the interval and at the end`() async {
      let subject = PassthroughSubject<Int, Never>()
      let cancellable = bench.metered(subject).sink { _ in }
      for value in 1...3 { subject.send(value) }
      #expect(bench.counts("penstock.values") == [])
      await bench.time.advance(by: 10)
      #expect(bench.counts("penstock.values", ("stream", "orders")) == [3])
      await bench.time.advance(by: 10)
      #expect(bench.counts("penstock.values") == [3])
      subject.send(4)
      subject.send(completion: .finished)
      #expect(bench.counts("penstock.values") == [3, 1])
      #expect(bench.durations("finished") == [20])
      cancellable.cancel()
      #expect(bench.durations("cancelled") == [])
    }

    @Test(arguments: [1, 10, 100_000])
    func `The calls of the metrics system do not depend on how many values there are`(_ count: Int) async {
      let subject = PassthroughSubject<Int, Never>()
      let cancellable = bench.metered(subject).sink { _ in }
      for _ in 1...3 {
        for value in 0..<count { subject.send(value) }
        await bench.time.advance(by: 10)
      }
      // At the first report the values, the subscription, and that it asks for everything; at the others the values.
      #expect(bench.metrics.calls == 5)
      cancellable.cancel()
      // That neither is left, and the duration.
      #expect(bench.metrics.calls == 8)
      #expect(bench.counts("penstock.values").reduce(0, +) == Int64(3 * count))
    }

    @Test func `All subscriptions of a publisher are reported at once`() async {
      let subject = PassthroughSubject<Int, Never>()
      let stream = bench.metered(subject)
      let subscribers = (0..<1_000).map { _ in stream.sink { _ in } }
      subject.send(1)
      await bench.time.advance(by: 10)
      #expect(bench.counts("penstock.values") == [1_000])
      #expect(bench.levels("penstock.subscriptions") == [1_000])
      #expect(bench.levels("penstock.unlimited") == [1_000])
      #expect(bench.metrics.calls == 3)
      for subscriber in subscribers { subscriber.cancel() }
      #expect(bench.levels("penstock.subscriptions").last == 0)
      #expect(bench.levels("penstock.unlimited").last == 0)
      #expect(bench.durations("cancelled").count == 1_000)
    }

    @Test func `Publishers of one name add up, and a meter falls to zero`() async {
      let (one, other) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let first = bench.metered(one).sink { _ in }
      let second = bench.metered(other).sink { _ in }
      await bench.time.advance(by: 10)
      #expect(bench.levels("penstock.subscriptions").last == 2)
      first.cancel()
      #expect(bench.levels("penstock.subscriptions").last == 1)
      second.cancel()
      #expect(bench.levels("penstock.subscriptions").last == 0)
    }

    // MARK: Demand

    @Test(arguments: [0, 1, 5])
    func `What is asked for and not delivered`(_ demand: Int) async {
      let subject = PassthroughSubject<Int, Never>()
      let recording = Recording<Int, Never>(demand: demand == 0 ? .none : .max(demand))
      recording.subscribe(to: bench.metered(subject))
      await bench.time.advance(by: 10)
      #expect(bench.levels("penstock.requested") == (demand == 0 ? [] : [Double(demand)]))
      if demand > 0 { subject.send(1) }
      recording.request(.max(2))
      await bench.time.advance(by: 10)
      #expect(bench.levels("penstock.requested").last == Double(max(demand - 1, 0) + 2))
      #expect(bench.levels("penstock.unlimited") == [])
      recording.cancel()
      #expect(bench.levels("penstock.requested").last == 0)
      #expect(recording.values == (demand > 0 ? [1] : []))
    }

    @Test func `What a subscriber answers to a value is asked for as well`() async {
      let subject = PassthroughSubject<Int, Never>()
      let recording = Recording<Int, Never>(demand: DemandScript.max(1).returning(.max(2), after: 1))
      recording.subscribe(to: bench.metered(subject))
      subject.send(1)
      await bench.time.advance(by: 10)
      #expect(bench.levels("penstock.requested") == [2])
      recording.request(.unlimited)
      await bench.time.advance(by: 10)
      #expect(bench.levels("penstock.requested").last == 0)
      #expect(bench.levels("penstock.unlimited") == [1])
      recording.cancel()
      #expect(recording.values == [1])
    }

    @Test func `What operators upstream keep`() async {
      let subject = PassthroughSubject<Int, Never>()
      let recording = Recording<Int, Never>(demand: .max(1))
      recording.subscribe(
        to: bench.metered(subject.map { $0 + 1 }.buffer(size: 10, prefetch: .keepFull, whenFull: .dropNewest)))
      for value in 1...5 { subject.send(value) }
      await bench.time.advance(by: 10)
      #expect(bench.levels("penstock.waiting") == [4])
      recording.request(.max(3))
      await bench.time.advance(by: 10)
      #expect(bench.levels("penstock.waiting") == [4, 1])
      recording.cancel()
      #expect(bench.levels("penstock.waiting") == [4, 1, 0])
      #expect(recording.values == [2, 3, 4, 5])
    }

    // MARK: Ends

    @Test func `Ends by their kind`() async {
      let stream = { (_: Int) in PassthroughSubject<Int, TestError>() }
      let subjects = (0..<3).map(stream)
      let recordings = subjects.map { subject in
        let recording = Recording<Int, TestError>()
        recording.subscribe(to: bench.metered(subject))
        return recording
      }
      await bench.time.advance(by: 1)
      subjects[0].send(completion: .finished)
      await bench.time.advance(by: 1)
      subjects[1].send(completion: .failure(.oops))
      await bench.time.advance(by: 1)
      recordings[2].cancel()
      #expect(bench.durations("finished") == [1])
      #expect(bench.durations("failed") == [2])
      #expect(bench.durations("cancelled") == [3])
      #expect(recordings[1].completion == .failure(.oops))
      // All of them have begun and ended between two reports.
      #expect(bench.levels("penstock.subscriptions") == [])
    }

    @Test func `A subscription that is cancelled twice, or after its end, is reported once`() {
      let subject = PassthroughSubject<Int, Never>()
      let recording = Recording<Int, Never>()
      recording.subscribe(to: bench.metered(subject))
      recording.cancel()
      recording.cancel()
      subject.send(completion: .finished)
      #expect(bench.durations("cancelled") == [0])
      #expect(bench.durations("finished") == [])
    }

    @Test func `A stream that is empty, and one that has its values at once`() {
      bench.metered(Empty<Int, Never>()).sink { _ in }.cancel()
      let cancellable = bench.metered([1, 2, 3].publisher).sink { _ in }
      #expect(bench.counts("penstock.values") == [3])
      #expect(bench.durations("finished") == [0, 0])
      cancellable.cancel()
      // Two durations, and the values.
      #expect(bench.metrics.calls == 3)
    }

    @Test(arguments: [true, false])
    func `Values that come too late are counted and not forwarded`(_ isCancelled: Bool) {
      let upstream = Upstream()
      let recording = Recording<Int, Never>()
      recording.subscribe(to: bench.metered(upstream))
      _ = upstream.send?(1)
      if isCancelled { recording.cancel() } else { upstream.complete?(.finished) }
      _ = upstream.send?(2)
      _ = upstream.send?(3)
      upstream.release()
      recording.dropSubscription()
      #expect(recording.values == [1])
      #expect(bench.counts("penstock.discarded", ("reason", isCancelled ? "cancelled" : "ended")) == [2])
      #expect(bench.counts("penstock.discarded", ("reason", isCancelled ? "ended" : "cancelled")) == [])
      #expect(bench.counts("penstock.values") == [1])
    }

    @Test func `A value that comes while upstream is cancelled, and a report with it, is counted once`() async {
      let subject = PassthroughSubject<Int, Never>()
      let (time, log) = (bench.time, Locked<[Int64]>([]))
      let cancellable = bench.metered(
        subject.handleEvents(receiveCancel: {
          subject.send(9)
          time.advance(by: 10)
          log.change { $0 = bench.counts("penstock.discarded") }
        })
      ).sink { _ in }
      cancellable.cancel()
      #expect(log.value == [])
      await bench.time.advance(by: 10)
      #expect(bench.counts("penstock.discarded", ("reason", "cancelled")) == [1])
      #expect(bench.counts("penstock.discarded", ("reason", "ended")) == [])
      #expect(bench.counts("penstock.values") == [])
    }

    @Test func `A publisher that is freed without an end counts as cancelled`() {
      let upstream = Upstream()
      let recording = Recording<Int, Never>(atEnd: .rules)
      recording.subscribe(to: bench.metered(upstream))
      _ = upstream.send?(1)
      upstream.release()
      recording.dropSubscription()
      #expect(bench.durations("cancelled") == [0])
      #expect(bench.counts("penstock.values") == [1])
    }

    // MARK: Names, ages, factories

    @Test func `The age of the oldest value of each report`() async {
      let clock = bench.time.clock
      let subject = PassthroughSubject<VirtualClock.Instant, Never>()
      let cancellable = subject.metered(
        "orders", every: .seconds(10), on: bench.scheduler, factory: bench.metrics, madeAt: { $0 }
      ).sink { _ in }
      let beginning = clock.now
      await bench.time.advance(by: 4)
      subject.send(beginning)
      subject.send(clock.now)
      await bench.time.advance(by: 6)
      await bench.time.advance(by: 10)
      #expect(bench.metrics.base.timers(label: "penstock.value.age").map(\.values) == [[4_000_000_000]])
      subject.send(clock.now)
      cancellable.cancel()
      #expect(bench.metrics.base.timers(label: "penstock.value.age").map(\.values) == [[4_000_000_000, 0]])
    }

    @Test func `The metrics are made by the factory of the task at the assembly`() throws {
      let assembly = TestMetrics()
      let stream = withMetricsFactory(assembly) {
        [1, 2].publisher.metered("orders", dimensions: [("region", "north")])
      }
      withMetricsFactory(TestMetrics()) { _ = stream.sink { _ in } }
      let counter = try assembly.expectCounter("penstock.values", [("stream", "orders"), ("region", "north")])
      #expect(counter.values == [2])
    }

    @Test func `The checked operator does the same`() async {
      let subject = PassthroughSubject<Int, Never>()
      let stream = subject.sendable.metered("orders", every: .seconds(10), on: bench.scheduler, factory: bench.metrics)
      let cancellable = stream.map { $0 + 1 }.sink { _ in }
      subject.send(1)
      await bench.time.advance(by: 10)
      #expect(bench.counts("penstock.values") == [1])
      cancellable.cancel()
      let metrics = TestMetrics()
      [1, 2].publisher.sendable.metered("numbers", factory: metrics).sink { _ in }.cancel()
      #expect(metrics.counterTotal(label: "penstock.values") == 2)
    }

    // MARK: Arguments

    @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min), .nanoseconds(1), .milliseconds(1)])
    func `An interval that is too short is a millisecond`(_ interval: Duration) async {
      let subject = PassthroughSubject<Int, Never>()
      let cancellable = subject.metered("orders", every: interval, on: bench.scheduler, factory: bench.metrics)
        .sink { _ in }
      for value in 1...3 {
        subject.send(value)
        await bench.time.advance(by: .milliseconds(1))
        #expect(bench.counts("penstock.values").count == value)
      }
      cancellable.cancel()
    }

    @Test func `With an interval that never ends the reports are those of the ends`() async {
      let cancellable = [1, 2].publisher.append(Empty(completeImmediately: false))
        .metered("orders", every: .seconds(Int64.max), on: bench.scheduler, factory: bench.metrics).sink { _ in }
      await bench.time.advance(by: .seconds(1_000_000))
      #expect(bench.counts("penstock.values") == [])
      cancellable.cancel()
      #expect(bench.counts("penstock.values") == [2])
      [1, 2].publisher.metered("others", every: .seconds(Int64.max), factory: bench.metrics).sink { _ in }.cancel()
      #expect(bench.counts("penstock.values", ("stream", "others")) == [2])
    }

    @Test(arguments: [["stream"], ["reason"], ["end"], ["region", "region"]])
    func `Dimensions that would have one name traps`(_ names: [String]) async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        [names = names as [String]] in
        _ = Just(1).metered("orders", dimensions: names.map { ($0, "x") })
      }
      expectMessage(result, "metered(dimensions:) takes each name once, and not stream, reason or end")
      expectMessage(result, "but was given \(names[0])")
    }

    // MARK: Threads

    @Test func `Nothing is lost or counted twice while other threads report`() {
      let bench = bench
      let stream = UncheckedSend(bench.metered((1...100).publisher).eraseToAnyPublisher())
      onThreads(4) { index in
        for round in 1...200 {
          switch index {
          case 0: bench.time.advance(by: 10)
          case 1: stream.value.prefix(50).sink { _ in }.cancel()
          default: if round % 2 == 0 { stream.value.sink { _ in }.cancel() }
          }
        }
      }
      #expect(bench.counts("penstock.values").reduce(0, +) == 30_000)
      #expect(bench.durations("cancelled").count == 200)
      #expect(bench.durations("finished").count == 200)
      bench.time.advance(by: 10)
      for meter in ["subscriptions", "requested", "unlimited", "waiting"] {
        #expect(bench.levels("penstock.\(meter)").last ?? 0 == 0)
      }
    }

    @Test func `A value that is delivered during a cancel is counted`() {
      for _ in 1...200 {
        let bench = MetricsBench()
        let subject = PassthroughSubject<Int, Never>()
        let sent = Guarded(0)
        func run() {
          let counted = subject.map { _ in sent.withLock { $0 += 1 } }
          let cancellable = UncheckedSend(bench.metered(counted).sink { _ in })
          onThreads(2) { index in
            if index == 0 { for value in 1...50 { subject.send(value) } } else { cancellable.value.cancel() }
          }
        }
        run()
        let late = bench.counts("penstock.discarded").reduce(0, +)
        #expect(bench.counts("penstock.values").reduce(0, +) + late == Int64(sent.withLock { $0 }))
      }
    }

    // MARK: Lifetime

    @Test func `One timer serves all subscriptions, ends at its turn when there are none, and begins again`() async {
      let subject = PassthroughSubject<Int, Never>()
      let stream = bench.metered(subject)
      for round in 1...3 {
        for _ in 1...100 { stream.sink { _ in }.cancel() }
        let last = stream.sink { _ in }
        #expect(bench.time.pending.count == 1)
        subject.send(round)
        await bench.time.advance(by: 10)
        #expect(bench.counts("penstock.values").count == round)
        last.cancel()
        #expect(bench.time.pending.count == 1)
        await bench.time.advance(by: 10)
        #expect(bench.time.pending.count == 0)
      }
    }

    @Test func `The timer ends with the publisher`() {
      var stream: AnyPublisher<Int, Never>? = bench.metered(Just(1)).eraseToAnyPublisher()
      stream?.sink { _ in }.cancel()
      #expect(bench.time.pending.count == 1)
      stream = nil
      #expect(bench.time.pending.count == 0)
    }

    @Test(arguments: ["finish", "cancel", "release"])
    func `Nothing is left in memory`(_ end: String) async {
      var graveyard = Graveyard()
      func run() async {
        let subject = graveyard.watch(PassthroughSubject<Canary, Never>(), "subject")
        let seen = graveyard.watch(Canary(), "closure")
        let cancellable = bench.metered(subject).sink { _ in withExtendedLifetime(seen) {} }
        subject.send(graveyard.watch(Canary(), "value"))
        await bench.time.advance(by: 10)
        if end == "finish" { subject.send(completion: .finished) }
        if end == "cancel" { cancellable.cancel() }
        withExtendedLifetime(cancellable) {}
      }
      await run()
      #expect(graveyard.survivors == [])
      #expect(bench.time.pending.count == 0)
    }
  }

  /// What the test may share, though its type does not say so.
  private struct UncheckedSend<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  /// A publisher that does what it is told, also after the end.
  private final class Upstream: Publisher {
    typealias Output = Int
    typealias Failure = Never

    private(set) var send: ((Int) -> Subscribers.Demand)?
    private(set) var complete: ((Subscribers.Completion<Never>) -> Void)?

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
      send = { subscriber.receive($0) }
      complete = { subscriber.receive(completion: $0) }
      subscriber.receive(subscription: Subscriptions.empty)
    }

    func release() { (send, complete) = (nil, nil) }
  }
#endif
