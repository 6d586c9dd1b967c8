// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Metrics
  public import PenstockCore
  public import Synchronization

  /// The counters of one subscription, and how much of them has been reported.
  ///
  /// The thread on which upstream delivers counts values with a load and a store, since no other thread counts them: at
  /// worst, a report on another thread sees them a little later.
  @usableFromInline
  internal final class SubscriptionCounts: Sendable {
    private struct Reported {
      var figures = Figures()
      var isLive = false
      var end: StreamEnd?
      var beginning = Duration.zero
      /// Where the search for waiting values begins; weak, since a report must not keep a stream alive.
      var upstream = WeakReference<BaseSubscription>(nil)
    }

    @usableFromInline internal let values = AtomicCell(0)
    @usableFromInline internal let discarded = AtomicCell(0)
    @usableFromInline internal let greatestAge = AtomicCell(-1)
    @usableFromInline internal let requested = AtomicCell<UInt>(0)
    @usableFromInline internal let isUnlimited = AtomicCell(false)
    private let reported = Guarded(Reported())

    internal init() {}

    // MARK: While upstream delivers

    @inlinable
    internal func noteValue() { values.store(values.load(ordering: .relaxed) &+ 1, ordering: .relaxed) }

    @usableFromInline
    internal func noteDiscarded() { discarded.store(discarded.load(ordering: .relaxed) &+ 1, ordering: .relaxed) }

    @usableFromInline
    internal func note(age: Duration) {
      let nanoseconds = max(age.nanoseconds, 0)
      if nanoseconds > greatestAge.load(ordering: .relaxed) { greatestAge.store(nanoseconds, ordering: .relaxed) }
    }

    // MARK: On any thread

    @inlinable
    internal func note(request: Subscribers.Demand) {
      if let count = request.max {
        requested.wrappingAdd(UInt(bitPattern: count), ordering: .relaxed)
      } else {
        isUnlimited.store(true, ordering: .relaxed)
      }
    }

    internal func begin(at time: Duration, upstream: BaseSubscription) {
      reported.withLock { reported in
        reported.isLive = reported.end == nil
        reported.beginning = time
        reported.upstream = WeakReference(upstream)
      }
    }

    /// - Returns: The time at which the subscription began, if it had begun and this call has ended it.
    internal func end(_ end: StreamEnd) -> Duration? {
      reported.withLock { reported in
        guard reported.isLive else {
          // A stream may end before it has begun; a cancel has no effect then.
          if reported.end == nil, end != .cancelled { reported.end = end }
          return nil
        }
        reported.isLive = false
        reported.end = end
        return reported.beginning
      }
    }

    /// Adds what has changed since the last time.
    internal func take(into report: inout Report) {
      // Outside the lock, since it examines other links, and frees a link whose last reference goes away meanwhile.
      let upstream = reported.withLock { $0.isLive ? $0.upstream.object : nil }
      let waiting = waitingValues(in: upstream)
      let difference = reported.withLock { reported in
        let figures = figures(waiting: waiting, isLive: reported.isLive, end: reported.end)
        let difference = figures - reported.figures
        reported.figures = figures
        return difference
      }
      report.figures += difference
      if greatestAge.load(ordering: .relaxed) >= 0 {
        report.greatestAge = max(report.greatestAge, greatestAge.exchange(-1, ordering: .relaxed))
      }
    }

    private func figures(waiting: Int, isLive: Bool, end: StreamEnd?) -> Figures {
      var figures = Figures(values: values.load(ordering: .relaxed))
      let late = discarded.load(ordering: .relaxed)
      switch end {
      case .cancelled: figures.discardedAfterCancel = late
      case .finished, .failed: figures.discardedAfterEnd = late
      // Upstream is being cancelled, and sends a value meanwhile: the value is reported once the outcome is known.
      case nil: break
      }
      guard isLive else { return figures }
      figures.subscriptions = 1
      if isUnlimited.load(ordering: .relaxed) {
        figures.unlimited = 1
      } else {
        figures.requested = max(0, Int(bitPattern: requested.load(ordering: .relaxed)) - figures.values)
      }
      figures.waiting = waiting
      return figures
    }
  }
#endif
