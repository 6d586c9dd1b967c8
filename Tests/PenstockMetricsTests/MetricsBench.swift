// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Metrics
  import CoreMetrics
  import MetricsTestKit
  import PenstockConcurrency
  import PenstockMetrics
  import PenstockTesting
  import TestSupport

  /// A metrics system in memory, with virtual time.
  struct MetricsBench {
    let time = VirtualTimeScheduler()
    let metrics = CountingFactory()
    var scheduler: TaskScheduler<VirtualClock> { TaskScheduler(on: time.executor, clock: time.clock) }

    /// A publisher with the name `orders`, which reports every ten seconds.
    func metered<P: Publisher>(_ upstream: P) -> some Publisher<P.Output, P.Failure> {
      upstream.metered("orders", every: .seconds(10), on: scheduler, factory: metrics)
    }

    /// What a counter was increased by, in order.
    func counts(_ label: String, _ dimensions: (String, String)...) -> [Int64] {
      metrics.base.counters(label: label, dimensions: dimensions).flatMap(\.values)
    }

    /// What a meter showed, in order.
    func levels(_ label: String) -> [Double] { metrics.base.meters(label: label).flatMap(\.values) }

    /// The durations in seconds, by the end.
    func durations(_ end: String) -> [Double] {
      metrics.base.timers(label: "penstock.stream.duration", dimensions: [("end", end)]).flatMap(\.values)
        .map { Double($0) / 1e9 }
    }
  }

  /// Metrics in memory, and how often any of them was called.
  final class CountingFactory: MetricsFactory {
    let base = TestMetrics()
    private let counter = Counted()

    var calls: Int { counter.value }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
      counter.handler(base.makeCounter(label: label, dimensions: dimensions))
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
      counter.handler(base.makeMeter(label: label, dimensions: dimensions))
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
      base.makeRecorder(label: label, dimensions: dimensions, aggregate: aggregate)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
      counter.handler(base.makeTimer(label: label, dimensions: dimensions))
    }

    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
  }

  /// Counts calls, and makes handlers that do.
  private final class Counted: Sendable {
    private let count = Guarded(0)

    var value: Int { count.withLock { $0 } }

    func note() { count.withLock { $0 += 1 } }

    func handler(_ base: any CounterHandler) -> any CounterHandler { CountedCounter(base, self) }
    func handler(_ base: any MeterHandler) -> any MeterHandler { CountedMeter(base, self) }
    func handler(_ base: any TimerHandler) -> any TimerHandler { CountedTimer(base, self) }
  }

  private final class CountedCounter: CounterHandler {
    private let base: any CounterHandler
    private let calls: Counted

    init(_ base: any CounterHandler, _ calls: Counted) { (self.base, self.calls) = (base, calls) }

    func increment(by amount: Int64) {
      calls.note()
      base.increment(by: amount)
    }

    func reset() { base.reset() }
  }

  private final class CountedMeter: MeterHandler {
    private let base: any MeterHandler
    private let calls: Counted

    init(_ base: any MeterHandler, _ calls: Counted) { (self.base, self.calls) = (base, calls) }

    func set(_ value: Int64) {
      calls.note()
      base.set(value)
    }

    func set(_ value: Double) {
      calls.note()
      base.set(value)
    }

    func increment(by amount: Double) {
      calls.note()
      base.increment(by: amount)
    }

    func decrement(by amount: Double) {
      calls.note()
      base.decrement(by: amount)
    }
  }

  private final class CountedTimer: TimerHandler {
    private let base: any TimerHandler
    private let calls: Counted

    init(_ base: any TimerHandler, _ calls: Counted) { (self.base, self.calls) = (base, calls) }

    func recordNanoseconds(_ duration: Int64) {
      calls.note()
      base.recordNanoseconds(duration)
    }
  }
#endif
