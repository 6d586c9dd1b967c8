// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Metrics
  internal import CoreMetrics

  /// The metrics of a publisher, made once.
  internal struct MetricHandles: Sendable {
    private let values: Counter
    private let discardedAfterEnd: Counter
    private let discardedAfterCancel: Counter
    private let subscriptions: Meter
    private let requested: Meter
    private let unlimited: Meter
    private let waiting: Meter
    private let age: Timer?
    private let durations: [StreamEnd: Timer]

    internal init(dimensions: [(String, String)], hasAges: Bool, from factory: any MetricsFactory) {
      func counter(_ label: String, _ more: [(String, String)] = []) -> Counter {
        Counter(label: label, dimensions: dimensions + more, factory: factory)
      }
      func meter(_ label: String) -> Meter { Meter(label: label, dimensions: dimensions, factory: factory) }
      values = counter("penstock.values")
      discardedAfterEnd = counter("penstock.discarded", [("reason", "ended")])
      discardedAfterCancel = counter("penstock.discarded", [("reason", "cancelled")])
      subscriptions = meter("penstock.subscriptions")
      requested = meter("penstock.requested")
      unlimited = meter("penstock.unlimited")
      waiting = meter("penstock.waiting")
      age = hasAges ? Timer(label: "penstock.value.age", dimensions: dimensions, factory: factory) : nil
      durations = Dictionary(
        uniqueKeysWithValues: StreamEnd.allCases.map { end in
          let dimensions = dimensions + [("end", end.rawValue)]
          return (end, Timer(label: "penstock.stream.duration", dimensions: dimensions, factory: factory))
        })
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
      if report.greatestAge >= 0 { age?.recordNanoseconds(report.greatestAge) }
    }

    internal func record(_ duration: Duration, _ end: StreamEnd) {
      durations[end]?.recordNanoseconds(duration.nanoseconds)
    }
  }

  extension Counter {
    fileprivate func add(_ count: Int) {
      if count > 0 { increment(by: count) }
    }
  }

  extension Meter {
    /// Moves up or down; two calls in the interface, and no call where nothing has changed.
    fileprivate func move(by difference: Int) {
      if difference > 0 { increment(by: Double(difference)) }
      if difference < 0 { decrement(by: Double(-difference)) }
    }
  }
#endif
