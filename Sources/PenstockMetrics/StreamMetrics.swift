// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Metrics
  public import CoreMetrics
  public import PenstockConcurrency
  internal import PenstockCore

  /// The scheduler on which reports are made unless another is given.
  @usableFromInline internal let reportScheduler = TaskScheduler()

  /// The metrics of a publisher, and its live subscriptions.
  ///
  /// A timer runs while there are subscriptions, and until its next turn: starting a timer costs a task, and
  /// subscriptions may be short. Its action keeps neither the metrics nor a subscription alive.
  @usableFromInline
  internal final class StreamMetrics: Sendable {
    private struct State {
      var live: [ObjectIdentifier: SubscriptionCounts] = [:]
      var timer: (any Cancellable)?
    }

    private let state = Guarded(State())
    private let handles: MetricHandles
    private let now: @Sendable () -> Duration
    /// Starts to perform an action at the interval.
    private let start: @Sendable (@escaping () -> Void) -> any Cancellable

    /// Creates metrics with the timer that all publishers share.
    @usableFromInline
    internal init(
      _ name: String, _ dimensions: [(String, String)], hasAges: Bool, every interval: Duration,
      from factory: (any MetricsFactory)?
    ) {
      handles = Self.handles(name, dimensions, hasAges: hasAges, from: factory)
      let (interval, origin) = (max(interval, .milliseconds(1)), reportScheduler.now)
      now = { origin.distance(to: reportScheduler.now).duration }
      start = { ReportTimer.start(every: interval, on: reportScheduler, $0) }
    }

    /// Creates metrics with a timer of their own.
    @usableFromInline
    internal init<C: Clock>(
      _ name: String, _ dimensions: [(String, String)], hasAges: Bool, every interval: Duration,
      on scheduler: TaskScheduler<C>, from factory: (any MetricsFactory)?
    ) where C.Duration == Duration {
      handles = Self.handles(name, dimensions, hasAges: hasAges, from: factory)
      let origin = scheduler.now
      now = { origin.distance(to: scheduler.now).duration }
      let stride = ClockStride(max(interval, .milliseconds(1)))
      start = { action in
        scheduler.schedule(
          after: scheduler.now.advanced(by: stride), interval: stride, tolerance: scheduler.minimumTolerance,
          options: nil, action)
      }
    }

    private static func handles(
      _ name: String, _ dimensions: [(String, String)], hasAges: Bool, from factory: (any MetricsFactory)?
    ) -> MetricHandles {
      let factory = factory ?? MetricsSystem.factory
      let handles = MetricsRegistry.shared.handles(name, dimensions, from: factory)
      if hasAges { handles.prepareAges(from: factory) }
      return handles
    }

    internal func begin(_ counts: SubscriptionCounts, upstream: BaseSubscription) {
      counts.begin(at: now(), upstream: upstream)
      let isFirst = state.withLock { state in
        state.live[ObjectIdentifier(counts)] = counts
        return state.timer == nil
      }
      if isFirst { startTimer() }
    }

    /// Starts the timer, outside the lock, since this is a scheduler's code.
    private func startTimer() {
      let timer = start { [weak self] in self?.report() }
      let isNeeded = state.withLock { state in
        // Another subscription may have begun meanwhile.
        guard state.timer == nil else { return false }
        state.timer = timer
        return true
      }
      if !isNeeded { timer.cancel() }
    }

    /// Reports the rest of a subscription, and its duration.
    internal func end(_ counts: SubscriptionCounts, _ end: StreamEnd) {
      guard let beginning = counts.end(end) else { return }
      _ = state.withLock { $0.live.removeValue(forKey: ObjectIdentifier(counts)) }
      report(counts)
      handles.record(now() - beginning, end)
    }

    /// Reports what is new in one subscription.
    internal func report(_ counts: SubscriptionCounts) {
      var report = Report()
      counts.take(into: &report)
      handles.record(report)
    }

    /// Reports what is new in all live subscriptions together; ends the timer if there are none.
    private func report() {
      let (live, timer) = state.withLock { state in
        (Array(state.live.values), state.live.isEmpty ? state.timer.take() : nil)
      }
      timer?.cancel()
      var report = Report()
      for counts in live { counts.take(into: &report) }
      handles.record(report)
    }
  }
#endif
