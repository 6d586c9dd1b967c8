// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if Tracing
  public import PenstockCore
  public import Synchronization
  internal import Tracing

  /// The span of one subscription, and the context in which the closures of its stream run.
  @usableFromInline
  internal final class TraceScope: Sendable {
    @usableFromInline
    internal enum End: String {
      case finished, failed, cancelled, released
    }

    @usableFromInline internal enum Phase: UInt8, AtomicCellValue {
      case awaiting, active, over
    }

    @usableFromInline internal let values = AtomicCell(0)
    @usableFromInline internal let phase = AtomicCell(Phase.awaiting)
    private let requested = AtomicCell<UInt>(0)
    private let isUnlimited = AtomicCell(false)

    private let attempts: Attempts
    /// The number of the attempt: 1, or more for a retry.
    private let attempt: Int
    /// The context at the subscription.
    private let outside: ServiceContext?
    /// The context of the span.
    private let inside: ContextMark
    private let span: any Span
    private let hasFailed = AtomicCell(false)

    @usableFromInline
    internal init(of origin: TraceOrigin) {
      var outside = ServiceContext.current
      let failed: ServiceContext?
      (attempts, attempt, failed) = Attempts.begin(origin, in: outside)
      outside?[Attempts.Key.self] = nil
      self.outside = outside
      span = origin.startSpan(in: outside)
      inside = ContextMark(span.context)
      guard let failed else { return }
      span.addLink(SpanLink(context: failed, attributes: [:]))
      span.addEvent(SpanEvent(name: "penstock.retry", attributes: ["penstock.attempt": .int64(Int64(attempt))]))
    }

    /// A publisher may have been released without an end.
    deinit { finish(.released) }

    // MARK: Counting

    @inlinable
    internal func noteValue() { values.store(values.load(ordering: .relaxed) &+ 1, ordering: .relaxed) }

    @usableFromInline
    internal func note(request: Subscribers.Demand) {
      if let count = request.max {
        requested.wrappingAdd(UInt(bitPattern: count), ordering: .relaxed)
      } else {
        isUnlimited.store(true, ordering: .relaxed)
      }
    }

    // MARK: The context

    /// Performs an action in the context of the span, or in that of the subscription when the stream has ended.
    @inlinable
    internal func run(_ body: () -> Void) {
      if isInside { body() } else { bind(body) }
    }

    /// Whether the context of the span is the current one, and the span has not ended.
    ///
    /// Checked for each signal, since code on the thread may have bound another context since the last one.
    @usableFromInline
    internal var isInside: Bool { phase.load(ordering: .relaxed) != .over && inside.isCurrent }

    @usableFromInline
    internal func bind(_ body: () -> Void) {
      ServiceContext.$current.withValue(
        phase.load(ordering: .relaxed) == .over ? afterwards : inside.context, operation: body)
    }

    /// The context of the subscription, in which a retry finds the attempt that has failed.
    private var afterwards: ServiceContext? {
      guard hasFailed.load(ordering: .relaxed) else { return outside }
      var context = outside ?? .topLevel
      context[Attempts.Key.self] = attempts
      return context
    }

    // MARK: The span

    @usableFromInline
    internal func begin() {
      _ = phase.compareExchange(expected: .awaiting, desired: .active, ordering: .relaxed)
    }

    /// Before the subscription a cancel has no effect.
    @usableFromInline
    internal func cancel() {
      if phase.load(ordering: .relaxed) != .awaiting { finish(.cancelled) }
    }

    @usableFromInline
    internal func end(_ end: End, _ error: (any Error)? = nil) {
      if error != nil {
        attempts.fail(span.context)
        hasFailed.store(true, ordering: .relaxed)
      }
      finish(end, error)
    }

    private func finish(_ end: End, _ error: (any Error)? = nil) {
      guard phase.exchange(.over, ordering: .acquiringAndReleasing) != .over else { return }
      if let error {
        span.recordError(error)
        span.setStatus(SpanStatus(code: .error, message: "\(type(of: error))"))
      }
      if end == .cancelled { span.addEvent(SpanEvent(name: "penstock.cancel")) }
      span.updateAttributes { attributes in
        attributes["penstock.end"] = end.rawValue
        attributes["penstock.values"] = values.load(ordering: .relaxed)
        if isUnlimited.load(ordering: .relaxed) {
          attributes["penstock.requested"] = "unlimited"
        } else {
          attributes["penstock.requested"] = Int(clamping: requested.load(ordering: .relaxed))
        }
        if attempt > 1 { attributes["penstock.attempt"] = attempt }
      }
      span.end()
    }
  }
#endif
