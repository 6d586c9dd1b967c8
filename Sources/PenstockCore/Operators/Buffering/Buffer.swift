// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Stores values that downstream has not requested yet, up to a maximum number.
  ///
  /// ![The buffer keeps two values that are not requested. When it is full, the oldest is dropped.](buffer)
  ///
  /// ```swift
  /// let numbers = PassthroughSubject<Int, Never>()
  /// let subscriber = AnySubscriber<Int, Never>(
  ///   receiveSubscription: { subscription in
  ///     for number in 1...3 { numbers.send(number) }
  ///     subscription.request(.max(3))
  ///   },
  ///   receiveValue: { print($0); return .none })
  /// numbers.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest).subscribe(subscriber)
  /// // Prints "2", "3" on two lines.
  /// ```
  ///
  /// A value that has been requested is delivered at once if no other waits before it. Values stay in order.
  ///
  /// **Demand:** with `.keepFull`, as many values as fit are requested from upstream, and one more for each delivered
  /// value; with `.byRequest`, unlimited values. `request(.none)` is accepted.
  ///
  /// **Completion:** `.finished` is delivered after the last stored value, once there is demand for more. A cancel
  /// drops the stored values.
  ///
  /// **Failure:** forwarded when demand or stored values run out, whichever happens first; stored values that have not
  /// been requested are dropped. The error of `.customError` cancels upstream, and waits for a request.
  ///
  /// **Concurrency:** values and requests may arrive on different threads. One thread delivers at a time; a value or
  /// request of another thread is handled by that thread.
  ///
  /// Use ``throttle(for:scheduler:latest:)`` or ``debounce(for:scheduler:options:)`` to drop values by time, and
  /// ``collect(_:)`` to deliver several values as one.
  ///
  /// - Parameters:
  ///   - size: The maximum number of stored values. A buffer of size 0 is always full; with `.dropOldest` it keeps the
  ///     newest value.
  ///   - prefetch: The strategy for requesting values from upstream.
  ///   - whenFull: The strategy for a value that does not fit.
  /// - Returns: A publisher of the stored values.
  @_alwaysEmitIntoClient
  public consuming func buffer(
    size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>
  ) -> Publishers.Buffer<Self> {
    Publishers.Buffer(upstream: self, size: size, prefetch: prefetch, whenFull: whenFull)
  }
}

extension Publishers {
  /// A strategy by which a buffer requests values from upstream.
  public enum PrefetchStrategy: Sendable {
    /// Requests as many values as fit, and one more for each delivered value.
    case keepFull
    /// Requests unlimited values.
    case byRequest
  }

  /// A strategy for a value that does not fit into a buffer.
  public enum BufferingStrategy<Failure: Error> {
    /// Drops the new value.
    case dropNewest
    /// Drops the oldest stored value.
    case dropOldest
    /// Cancels upstream, and fails with the error that the closure returns.
    case customError(() -> Failure)
  }

  /// A publisher that stores values that downstream has not requested yet; see
  /// ``Publisher/buffer(size:prefetch:whenFull:)``.
  public struct Buffer<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publisher whose values are stored.
    public let upstream: Upstream

    /// The maximum number of stored values.
    public let size: Int

    /// The strategy for requesting values from upstream.
    public let prefetch: Publishers.PrefetchStrategy

    /// The strategy for a value that does not fit.
    public let whenFull: Publishers.BufferingStrategy<Upstream.Failure>

    /// Creates a publisher that stores values that downstream has not requested yet.
    @_alwaysEmitIntoClient
    public init(
      upstream: Upstream, size: Int, prefetch: Publishers.PrefetchStrategy,
      whenFull: Publishers.BufferingStrategy<Upstream.Failure>
    ) {
      self.upstream = upstream
      self.size = size
      self.prefetch = prefetch
      self.whenFull = whenFull
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Self.Output == S.Input, Failure == S.Failure {
      let overflow: BufferOverflow<Failure> =
        switch whenFull {
        case .dropNewest: .dropNewest
        case .dropOldest: .dropOldest
        case .customError(let makeError): .fail(makeError)
        }
      upstream.subscribe(
        BufferSubscriber(size: size, keepsFull: prefetch == .keepFull, overflow: overflow, to: subscriber),
        upstreamOf: S.self)
    }
  }
}

extension Publishers.PrefetchStrategy: Hashable {}
