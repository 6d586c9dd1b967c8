// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Metrics
  internal import CoreMetrics
  internal import PenstockCore

  /// The metrics of all publishers with the same name, dimensions and factory.
  ///
  /// It has the factory's own handlers: the types of swift-metrics around them would keep the factory in memory.
  internal final class MetricHandles: Sendable {
    private let values: any CounterHandler
    private let discardedAfterEnd: any CounterHandler
    private let discardedAfterCancel: any CounterHandler
    private let subscriptions: any MeterHandler
    private let requested: any MeterHandler
    private let unlimited: any MeterHandler
    private let waiting: any MeterHandler
    private let durations: [any TimerHandler]
    /// `nil` until a publisher has ages.
    private let age = Guarded<(any TimerHandler)?>(nil)
    private let dimensions: [(String, String)]

    internal init(_ dimensions: [(String, String)], from factory: any MetricsFactory) {
      func counter(_ label: String, _ more: [(String, String)] = []) -> any CounterHandler {
        factory.makeCounter(label: label, dimensions: dimensions + more)
      }
      func meter(_ label: String) -> any MeterHandler { factory.makeMeter(label: label, dimensions: dimensions) }
      self.dimensions = dimensions
      values = counter("penstock.values")
      discardedAfterEnd = counter("penstock.discarded", [("reason", "ended")])
      discardedAfterCancel = counter("penstock.discarded", [("reason", "cancelled")])
      subscriptions = meter("penstock.subscriptions")
      requested = meter("penstock.requested")
      unlimited = meter("penstock.unlimited")
      waiting = meter("penstock.waiting")
      durations = StreamEnd.allCases.map { end in
        factory.makeTimer(label: "penstock.stream.duration", dimensions: dimensions + [("end", "\(end)")])
      }
    }

    /// Makes the metric of ages, unless there is one.
    internal func prepareAges(from factory: any MetricsFactory) {
      if age.withLock({ $0 != nil }) { return }
      let timer = factory.makeTimer(label: "penstock.value.age", dimensions: dimensions)
      age.withLock { age in if age == nil { age = timer } }
    }

    internal func record(_ report: Report) {
      let figures = report.figures
      values.add(figures.values)
      discardedAfterEnd.add(figures.discardedAfterEnd)
      discardedAfterCancel.add(figures.discardedAfterCancel)
      subscriptions.move(by: figures.subscriptions)
      requested.move(by: figures.requested)
      unlimited.move(by: figures.unlimited)
      waiting.move(by: figures.waiting)
      if report.greatestAge >= 0 { age.withLock { $0 }?.recordNanoseconds(Int64(report.greatestAge)) }
    }

    internal func record(_ duration: Duration, _ end: StreamEnd) {
      durations[end.rawValue].recordNanoseconds(duration.countableNanoseconds)
    }
  }

  extension CounterHandler {
    fileprivate func add(_ count: Int) {
      if count > 0 { increment(by: Int64(count)) }
    }
  }

  extension MeterHandler {
    /// Moves the meter up or down, which are two calls in the interface; makes no call if nothing has changed.
    fileprivate func move(by difference: Int) {
      if difference > 0 { increment(by: Double(difference)) }
      if difference < 0 { decrement(by: Double(-difference)) }
    }
  }
#endif
