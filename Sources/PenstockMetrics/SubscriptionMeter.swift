// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Metrics
  public import PenstockCore

  /// A subscription's part in its metrics; the stream has ended at the latest when this object is freed.
  @usableFromInline
  internal final class SubscriptionMeter {
    @usableFromInline internal let counts = SubscriptionCounts()
    private let stream: StreamMetrics

    @usableFromInline
    internal init(of stream: StreamMetrics) { self.stream = stream }

    @usableFromInline
    internal func begin(_ subscription: any Subscription) { stream.begin(counts, upstream: subscription.wrapped) }

    @usableFromInline
    internal func end(_ end: StreamEnd) { stream.end(counts, end) }

    /// Ends a subscription that has begun; before that a cancel has no effect.
    @usableFromInline
    internal func cancel() { stream.end(counts, .cancelled) }

    /// A publisher may have been released without an end, and values may have come after the last report.
    deinit {
      stream.end(counts, .cancelled)
      stream.report(counts)
    }
  }
#endif
