// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Keeps values that have not been asked for yet, up to a number of them.
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
  /// A value goes down at once if it has been asked for and none waits before it. Values stay in order.
  ///
  /// **Demand:** with `.keepFull`, upstream is asked for as many values as fit, and for one more for each that goes down;
  /// with `.byRequest`, for everything. `request(.none)` is accepted.
  ///
  /// **Completion:** `.finished` goes down behind the last value that waits, once there is demand for more. A cancel
  /// drops what waits.
  ///
  /// **Failure:** forwarded when demand or values run out, whichever comes first; values that nobody has asked for are
  /// dropped. The error of `.customError` waits for a request first, and upstream is cancelled.
  ///
  /// **Concurrency:** values and requests may come from different threads. Whoever finds the way down free delivers;
  /// another thread leaves what it brings to the one that is delivering.
  ///
  /// - Parameters:
  ///   - size: How many values to keep. A buffer of size 0 is always full; with `.dropOldest` it keeps the newest.
  ///   - prefetch: What to ask upstream for.
  ///   - whenFull: What to do with a value that does not fit.
  /// - Returns: A publisher of the values that have been kept.
  @inlinable
  public func buffer(
    size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>
  ) -> Publishers.Buffer<Self> {
    Publishers.Buffer(upstream: self, size: size, prefetch: prefetch, whenFull: whenFull)
  }
}

extension Publishers {
  /// What a buffer asks upstream for.
  public enum PrefetchStrategy: Sendable {
    /// As many values as fit, and one more for each that has gone down.
    case keepFull
    /// Everything.
    case byRequest
  }

  /// What a full buffer does with a value.
  public enum BufferingStrategy<Failure: Error> {
    /// Drops the value.
    case dropNewest
    /// Drops the value that has waited longest.
    case dropOldest
    /// Cancels upstream, and fails with the error that the closure makes.
    case customError(() -> Failure)
  }

  /// A publisher that keeps values that have not been asked for; see ``Publisher/buffer(size:prefetch:whenFull:)``.
  public struct Buffer<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are kept.
    public let upstream: Upstream

    /// How many values are kept.
    public let size: Int

    /// What upstream is asked for.
    public let prefetch: Publishers.PrefetchStrategy

    /// What happens to a value that does not fit.
    public let whenFull: Publishers.BufferingStrategy<Upstream.Failure>

    /// Makes a publisher that keeps values that have not been asked for.
    @inlinable
    public init(
      upstream: Upstream, size: Int, prefetch: Publishers.PrefetchStrategy,
      whenFull: Publishers.BufferingStrategy<Upstream.Failure>
    ) {
      self.upstream = upstream
      self.size = size
      self.prefetch = prefetch
      self.whenFull = whenFull
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
      upstream.subscribe(BufferedSubscriber(size: size, prefetch: prefetch, whenFull: whenFull, to: subscriber))
    }
  }
}

extension Publishers.PrefetchStrategy: Hashable {}
