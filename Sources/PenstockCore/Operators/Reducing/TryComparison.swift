// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Publishes the smallest value, in the order that a throwing closure defines, when the upstream publisher finishes;
  /// of equal values, the first.
  ///
  /// ![The closure throws: upstream is cancelled, and the output fails without a value.](try-min-by)
  ///
  /// ```swift
  /// struct NotComparable: Error {}
  /// let cancellable = [2.5, .nan].publisher
  ///   .tryMin { a, b in
  ///     if a.isNaN || b.isNaN { throw NotComparable() }
  ///     return a < b
  ///   }
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints "failure(NotComparable())"
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream at once. The result waits until it is requested.
  ///
  /// **Completion:** `.finished` follows the result. A publisher that finishes without values gives no result; its
  /// `.finished` also waits for a request.
  ///
  /// **Failure:** forwarded at once; the result so far is dropped. An error that the closure throws cancels upstream
  /// and becomes the failure.
  ///
  /// **Concurrency:** the closure runs on the thread that delivers the value. The result is delivered on the thread
  /// that finishes upstream, or on the one that requests it.
  ///
  /// Use ``min(by:)`` if the closure cannot throw: it keeps the failure type. ``tryMax(by:)`` finds the largest value.
  ///
  /// - Parameter areInIncreasingOrder: A closure that returns whether its first argument is ordered before its second,
  ///   or throws.
  /// - Returns: A publisher of at most one value.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func tryMin(
    by areInIncreasingOrder: @escaping (Output, Output) throws -> Bool
  ) -> Publishers.TryComparison<Self> {
    Publishers.TryComparison(upstream: self) { try areInIncreasingOrder($1, $0) }
  }

  /// Publishes the largest value, in the order that a throwing closure defines, when the upstream publisher finishes;
  /// of equal values, the first.
  ///
  /// ![The closure throws: upstream is cancelled, and the output fails without a value.](try-max-by)
  ///
  /// ```swift
  /// struct NotComparable: Error {}
  /// let cancellable = [2.5, 3.5].publisher
  ///   .tryMax { a, b in
  ///     if a.isNaN || b.isNaN { throw NotComparable() }
  ///     return a < b
  ///   }
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints "3.5", "finished" on two lines.
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream at once. The result waits until it is requested.
  ///
  /// **Completion:** `.finished` follows the result. A publisher that finishes without values gives no result; its
  /// `.finished` also waits for a request.
  ///
  /// **Failure:** forwarded at once; the result so far is dropped. An error that the closure throws cancels upstream
  /// and becomes the failure.
  ///
  /// **Concurrency:** the closure runs on the thread that delivers the value. The result is delivered on the thread
  /// that finishes upstream, or on the one that requests it.
  ///
  /// Use ``max(by:)`` if the closure cannot throw: it keeps the failure type. ``tryMin(by:)`` finds the smallest value.
  ///
  /// - Parameter areInIncreasingOrder: A closure that returns whether its first argument is ordered before its second,
  ///   or throws.
  /// - Returns: A publisher of at most one value.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func tryMax(
    by areInIncreasingOrder: @escaping (Output, Output) throws -> Bool
  ) -> Publishers.TryComparison<Self> {
    Publishers.TryComparison(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
  }
}

extension Publishers {
  /// A publisher of the largest upstream value, found with a throwing closure; see ``Publisher/tryMax(by:)``.
  public struct TryComparison<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Empty<Upstream.Output, any Error>

    /// The publisher whose values are compared.
    public let upstream: Upstream

    /// The closure that returns whether its first argument is ordered before its second.
    public let areInIncreasingOrder: (Upstream.Output, Upstream.Output) throws -> Bool

    /// Creates a publisher of the largest upstream value, found with a throwing closure.
    @_alwaysEmitIntoClient
    public init(
      upstream: Upstream, areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) throws -> Bool
    ) {
      self.upstream = upstream
      self.areInIncreasingOrder = areInIncreasingOrder
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Self.Output == S.Input, S.Failure == any Error {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal func makeStage() -> ComparisonStage<ThrowingComparison<Upstream.Output, Upstream.Failure>> {
      ComparisonStage(ThrowingComparison(areInIncreasingOrder))
    }
  }
}

extension Publishers.TryComparison: QueuedOperator {}
