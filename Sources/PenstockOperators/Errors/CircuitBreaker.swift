// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A count of a service's failures, which refuses subscriptions for a time after too many; see `circuitBreaker(_:)`.
///
/// All pipelines that use the service share it. It begins **closed**: every subscription reaches upstream. After a
/// number of failures without a success between them it is **open**: subscriptions fail at once. When a time has passed
/// it is **half-open**: one subscription reaches upstream, and the others still fail at once. If that subscription
/// succeeds, the breaker closes; if it fails, the breaker opens once more.
///
/// A subscription succeeds when it finishes, or is cancelled after a value; one that is let through while the breaker
/// is half-open succeeds with its first value. A subscription that is cancelled before a value counts neither way. A
/// subscription counts only for the state in which it began.
///
/// ```swift
/// import PenstockTesting
///
/// struct Offline: Error, Equatable {}
/// let scheduler = VirtualTimeScheduler()
/// let breaker = CircuitBreaker(failures: 2, resetAfter: 30, scheduler: scheduler)
/// let request = Fail<String, Offline>(error: Offline()).circuitBreaker(breaker)
///   .catch { Just($0 == .open ? "refused" : "offline") }
/// for _ in 0..<3 { _ = request.sink { print($0) } }
/// scheduler.advance(by: 30)
/// print(breaker.state)
/// // Prints "offline", "offline", "refused", "halfOpen" on four lines.
/// ```
public final class CircuitBreaker<Context: Scheduler> {
  /// What happens to a new subscription.
  public enum State: Hashable, Sendable {
    /// It reaches upstream.
    case closed
    /// It fails at once.
    case open
    /// It reaches upstream, unless another subscription has been let through already.
    case halfOpen
  }

  @usableFromInline internal let core: BreakerCore<Context.SchedulerTimeType>
  private let scheduler: Context

  /// Creates a breaker that is closed.
  ///
  /// - Parameters:
  ///   - failures: The number of failures without a success between them that opens it. Less than 1 traps.
  ///   - interval: The time for which it stays open; shorter, if the scheduler's clock is set back meanwhile. A negative
  ///     one traps.
  ///   - scheduler: The scheduler whose clock is read; nothing is scheduled.
  public init(failures: Int, resetAfter interval: Context.SchedulerTimeType.Stride, scheduler: Context) {
    require(failures >= 1, of: "CircuitBreaker(failures:)", rule: "a count of 1 or more", given: failures)
    checkInterval(interval, of: "CircuitBreaker(resetAfter:)")
    self.scheduler = scheduler
    core = BreakerCore(limit: failures, now: { scheduler.now }, end: { scheduler.now.advanced(by: interval) })
  }

  /// What would happen to a subscription now.
  public var state: State {
    switch core.isOver {
    case nil: .closed
    case true?: .halfOpen
    case false?: .open
    }
  }
}

extension CircuitBreaker: Sendable where Context: Sendable {}

/// The failure of a pipeline with a circuit breaker; see `circuitBreaker(_:)`.
public enum CircuitBreakerFailure<Underlying: Error>: Error {
  /// The breaker was open: upstream has not been subscribed to.
  case open

  /// Upstream has failed.
  case failed(Underlying)
}

extension CircuitBreakerFailure: Equatable where Underlying: Equatable {}
extension CircuitBreakerFailure: Hashable where Underlying: Hashable {}

extension Publisher {
  /// Subscribes to the upstream publisher unless it has failed too often; then it fails at once.
  ///
  /// ![After two failures, a third subscription fails without reaching upstream.](circuit-breaker)
  ///
  /// ``CircuitBreaker`` says what counts as a failure, and when upstream is tried again.
  ///
  /// ```swift
  /// import PenstockTesting
  ///
  /// struct Offline: Error, Equatable {}
  /// let scheduler = VirtualTimeScheduler()
  /// let breaker = CircuitBreaker(failures: 1, resetAfter: 30, scheduler: scheduler)
  /// let failing = Fail<String, Offline>(error: Offline()).circuitBreaker(breaker).eraseToAnyPublisher()
  /// let working = Just("here").setFailureType(to: Offline.self).circuitBreaker(breaker).eraseToAnyPublisher()
  /// for request in [failing, working] {
  ///   _ = request.catch { Just($0 == .open ? "refused" : "offline") }.sink { print($0) }
  /// }
  /// // Prints "offline", "refused" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged. A subscription that is refused fails without any.
  ///
  /// **Completion:** forwarded, and counted as a success.
  ///
  /// **Failure:** forwarded as ``CircuitBreakerFailure/failed(_:)``, and counted. A subscription that is refused fails with
  /// ``CircuitBreakerFailure/open``.
  ///
  /// **Concurrency:** values are delivered on the thread on which upstream delivers; a lock is taken for the first value
  /// and the end of a subscription. The breaker may be used on any thread.
  ///
  /// Use ``retry(_:scheduler:decide:)`` after it to try again when the breaker may have closed, and `catch(_:)` to
  /// continue with something else.
  ///
  /// - Parameter breaker: The breaker, which all pipelines of the service share.
  /// - Returns: A publisher of the same values, which may be refused.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func circuitBreaker<S: Scheduler>(
    _ breaker: CircuitBreaker<S>
  ) -> Publishers.Lifted<Output, CircuitBreakerFailure<Failure>> {
    Publishers.Lifted(CircuitBreakerPublisher(upstream: self, breaker: breaker.core))
  }
}

/// The publisher of `circuitBreaker`.
@usableFromInline
internal struct CircuitBreakerPublisher<Upstream: Publisher, Time: Strideable>: Publisher {
  @usableFromInline internal typealias Output = Upstream.Output
  @usableFromInline internal typealias Failure = CircuitBreakerFailure<Upstream.Failure>

  @usableFromInline internal let upstream: Upstream
  @usableFromInline internal let breaker: BreakerCore<Time>

  @inlinable
  internal init(upstream: Upstream, breaker: BreakerCore<Time>) {
    self.upstream = upstream
    self.breaker = breaker
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    guard let call = breaker.begin() else { return Fail(error: .open).subscribe(subscriber) }
    CalledPublisher(upstream: upstream, call: call).mapError { .failed($0) }.subscribe(subscriber)
  }
}
