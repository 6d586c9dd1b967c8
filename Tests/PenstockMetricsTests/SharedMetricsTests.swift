// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Metrics
  import CoreMetrics
  import MetricsTestKit
  import PenstockConcurrency
  import PenstockMetrics
  import PenstockTesting
  import TestSupport
  import Testing

  @Suite struct SharedMetricsTests {
    /// Factories without meters of their own: swift-metrics counts for each meter separately then.
    @Test(arguments: [true, false])
    func `Publishers of one name add up where the factory has no meters`(_ isObject: Bool) {
      let base = TestMetrics()
      let plain = PlainFactory(base: base)
      func make() -> any MetricsFactory { isObject ? plain : PlainValueFactory(base: base, isQuiet: true) }
      func levels() -> [Double] {
        base.recorders(label: "penstock.subscriptions", dimensions: [("stream", "same")]).flatMap(\.values)
      }
      let subject = PassthroughSubject<Int, Never>()
      let time = MetricsBench()
      var streams: [AnyCancellable] = []
      for _ in 1...3 {
        let stream = subject.metered("same", every: .seconds(10), on: time.scheduler, factory: make())
        streams.append(stream.sink { _ in })
        time.time.advance(by: 10)
      }
      #expect(levels() == [1, 2, 3])
      streams.removeLast()
      #expect(levels().last == 2)
      streams = []
      #expect(levels().last == 0)
      streams = [subject.metered("same", every: .seconds(10), on: time.scheduler, factory: make()).sink { _ in }]
      time.time.advance(by: 10)
      #expect(levels().last == 1)
    }

    @Test func `The metrics of a name are made once, those of other dimensions and factories for themselves`() {
      let (one, other) = (MakingFactory(), MakingFactory())
      func call(_ factory: MakingFactory, _ name: String, _ dimensions: [(String, String)] = []) {
        [1, 2].publisher.metered(name, dimensions: dimensions, factory: factory).sink { _ in }.cancel()
      }
      for _ in 0..<100 { call(one, "a") }
      let once = one.made
      #expect(once > 0)
      for _ in 0..<100 { call(one, "a", [("x", "1"), ("y", "2")]) }
      call(one, "a", [("y", "2"), ("x", "1")])
      #expect(one.made == 2 * once)
      for name in ["b", "c"] { call(one, name) }
      #expect(one.made == 4 * once)
      call(other, "a")
      #expect(other.made == once)
      #expect(one.base.counterTotal(label: "penstock.values") == 2 * 203)
    }

    @Test func `The metric of ages is made where there are ages, and once`() {
      let factory = MakingFactory()
      func call(_ madeAt: ((Int) -> ContinuousClock.Instant)?) {
        Just(1).metered("a", factory: factory, madeAt: madeAt).sink { _ in }.cancel()
      }
      call(nil)
      let without = factory.made
      for _ in 0..<3 { call { _ in ContinuousClock.now } }
      #expect(factory.made == without + 1)
      #expect(factory.base.timers(label: "penstock.value.age").flatMap(\.values).count == 3)
    }

    @Test func `Names that come and go, and a factory that is gone, leave nothing in memory`() {
      weak var weakFactory: MakingFactory?
      let alive = Locked(0)
      do {
        let factory = MakingFactory(alive)
        weakFactory = factory
        for number in 0..<3_000 { Just(1).metered("\(number)", factory: factory).sink { _ in }.cancel() }
        // Of the last few hundred names the metrics are kept, ten or less of each.
        #expect(alive.value <= 256 * 10)
      }
      #expect(weakFactory == nil)
      let other = MakingFactory()
      for number in 0..<300 { Just(1).metered("\(number)", factory: other).sink { _ in }.cancel() }
      #expect(alive.value == 0)
    }

    @Test func `Many threads at once make one set of metrics for a name`() {
      let base = TestMetrics()
      let factory = PlainFactory(base: base)
      let subject = UncheckedBox(PassthroughSubject<Int, Never>())
      for round in 0..<50 {
        let streams = Locked<[AnyCancellable]>([])
        let time = MetricsBench()
        onThreads(4) { _ in
          let stream = subject.value.metered("\(round)", every: .seconds(10), on: time.scheduler, factory: factory)
          let cancellable = stream.sink { _ in }
          streams.change { $0.append(cancellable) }
        }
        time.time.advance(by: 10)
        let levels = base.recorders(label: "penstock.subscriptions", dimensions: [("stream", "\(round)")])
        #expect(levels.flatMap(\.values).max() == 4)
      }
    }
  }

  /// A factory that has recorders and no meters.
  private protocol WithoutMeters: MetricsFactory {
    var base: TestMetrics { get }
  }

  extension WithoutMeters {
    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
      base.makeCounter(label: label, dimensions: dimensions)
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
      base.makeRecorder(label: label, dimensions: dimensions, aggregate: aggregate)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
      base.makeTimer(label: label, dimensions: dimensions)
    }

    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
  }

  private final class PlainFactory: WithoutMeters {
    let base: TestMetrics

    init(base: TestMetrics) { self.base = base }
  }

  /// With a property that leaves memory unused before the next one.
  private struct PlainValueFactory: WithoutMeters {
    let isQuiet: Bool
    let base: TestMetrics
    let number: UInt32

    init(base: TestMetrics, isQuiet: Bool) { (self.base, self.isQuiet, number) = (base, isQuiet, 7) }
  }

  /// Counts the metrics that it makes, and those that are there.
  private final class MakingFactory: MetricsFactory {
    let base = TestMetrics()
    private let count = Locked(0)
    private let alive: Locked<Int>

    init(_ alive: Locked<Int> = Locked(0)) { self.alive = alive }

    var made: Int { count.value }

    private func made<Handler>(_ make: () -> Handler) -> Handler {
      count.change { $0 += 1 }
      return make()
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
      made { LiveCounter(base.makeCounter(label: label, dimensions: dimensions), alive) }
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
      made { base.makeMeter(label: label, dimensions: dimensions) }
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
      made { base.makeRecorder(label: label, dimensions: dimensions, aggregate: aggregate) }
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
      made { base.makeTimer(label: label, dimensions: dimensions) }
    }

    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
  }

  private final class LiveCounter: CounterHandler {
    private let base: any CounterHandler
    private let alive: Locked<Int>

    init(_ base: any CounterHandler, _ alive: Locked<Int>) {
      (self.base, self.alive) = (base, alive)
      alive.change { $0 += 1 }
    }

    deinit { alive.change { $0 -= 1 } }

    func increment(by amount: Int64) { base.increment(by: amount) }
    func reset() { base.reset() }
  }
#endif
