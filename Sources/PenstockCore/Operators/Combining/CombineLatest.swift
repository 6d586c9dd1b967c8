// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Combines the latest values of this publisher and another one, and publishes them as a tuple whenever either
  /// delivers.
  ///
  /// ![Once both have delivered, each value of either is published with the latest of the other.](combine-latest)
  ///
  /// Nothing is published until each of them has delivered a value.
  ///
  /// ```swift
  /// let cancellable = Just("a")
  ///   .combineLatest([1, 2].publisher)
  ///   .sink { print($0) }
  /// // Prints ("a", 1), ("a", 2) on two lines.
  /// ```
  ///
  /// **Demand:** passed to both upstreams unchanged, and counted. A value that arrives while nothing is requested, or
  /// during a delivery, only replaces the previous value of its upstream; it is part of the next tuple. Demand that a
  /// delivery returns is requested from all upstreams. `request(.none)` traps.
  ///
  /// **Completion:** when all upstreams have finished. The last value of an upstream that has finished stays in use.
  ///
  /// **Failure:** the first failure ends the stream; the other upstreams are cancelled.
  ///
  /// **Concurrency:** upstreams may deliver on different threads; deliveries to downstream never overlap. A value that
  /// arrives while another thread is delivering is queued, and that thread delivers its tuple.
  ///
  /// Use ``zip(_:)`` to pair first with first and second with second, and ``merge(with:)->Publishers.Merge<Self,P>``
  /// for values of the same type that need no pairing.
  ///
  /// - Parameter other: The other publisher.
  /// - Returns: A publisher of tuples.
  @_alwaysEmitIntoClient
  public consuming func combineLatest<P: Publisher>(_ other: P) -> Publishers.CombineLatest<Self, P>
  where Failure == P.Failure {
    Publishers.CombineLatest(self, other)
  }

  /// Combines the latest values of this publisher and another one with a closure, and publishes the result whenever
  /// either delivers.
  ///
  /// ![Each value of either is published as the product with the latest of the other.](combine-latest-transform)
  ///
  /// Nothing is published until each of them has delivered a value.
  ///
  /// ```swift
  /// let cancellable = Just("a")
  ///   .combineLatest([1, 2].publisher) { "\($0) \($1)" }
  ///   .sink { print($0) }
  /// // Prints "a 1", "a 2" on two lines.
  /// ```
  ///
  /// **Demand:** passed to both upstreams unchanged, and counted. A value that arrives while nothing is requested, or
  /// during a delivery, only replaces the previous value of its upstream; it is part of the next tuple. Demand that a
  /// delivery returns is requested from all upstreams. `request(.none)` traps.
  ///
  /// **Completion:** when all upstreams have finished. The last value of an upstream that has finished stays in use.
  ///
  /// **Failure:** the first failure ends the stream; the other upstreams are cancelled.
  ///
  /// **Concurrency:** upstreams may deliver on different threads; deliveries to downstream never overlap. A value that
  /// arrives while another thread is delivering is queued, and that thread delivers its tuple.
  ///
  /// Use ``zip(_:)`` to pair first with first and second with second, and ``merge(with:)->Publishers.Merge<Self,P>``
  /// for values of the same type that need no pairing.
  ///
  /// - Parameters:
  ///   - other: The other publisher.
  ///   - transform: A closure that combines two values into one.
  /// - Returns: A publisher of the closure's results.
  @_alwaysEmitIntoClient
  public consuming func combineLatest<P: Publisher, T>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest<Self, P>, T>
  where Failure == P.Failure {
    combineLatest(other).map { transform($0.0, $0.1) }
  }
}

extension Publishers {
  /// A publisher that combines the latest values of two publishers; see ``Publisher``'s `combineLatest`.
  public struct CombineLatest<A: Publisher, B: Publisher>: CombineLatestOperator, _DerivedTypes
  where A.Failure == B.Failure {
    public typealias _Origin = Empty<(A.Output, B.Output), A.Failure>

    /// The first publisher.
    public let a: A

    /// The second publisher.
    public let b: B

    /// Creates a publisher that combines the latest values of two publishers.
    @_alwaysEmitIntoClient
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, S.Input == (A.Output, B.Output) {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient
    package func makeInlets() -> TupleInlets2<LatestInlet<A.Output>, LatestInlet<B.Output>> {
      TupleInlets2(LatestInlet(), LatestInlet())
    }

    @_alwaysEmitIntoClient
    package func join<Downstream: Subscriber>(
      _ core: CombineLatestCore<TupleInlets2<LatestInlet<A.Output>, LatestInlet<B.Output>>, Failure>,
      upstreamOf downstream: Downstream.Type
    ) where Downstream.Input == Self.Output, Downstream.Failure == Failure {
      core.join(a, core.tuple.a, upstreamOf: Downstream.self)
      core.join(b, core.tuple.b, upstreamOf: Downstream.self)
    }
  }
}

extension Publishers.CombineLatest: Equatable where A: Equatable, B: Equatable {}

extension Publishers.CombineLatest: Sendable where A: Sendable, B: Sendable {}
