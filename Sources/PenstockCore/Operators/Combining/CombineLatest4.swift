// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Combines the latest values of this publisher and three others, and publishes them as a tuple whenever one of them
  /// delivers.
  ///
  /// ![Once all four have delivered, each value is published with the latest of the others.](combine-latest-4)
  ///
  /// Nothing is published until each of them has delivered a value.
  ///
  /// ```swift
  /// let cancellable = Just("a")
  ///   .combineLatest(Just(true), Just(0.5), [1, 2].publisher)
  ///   .sink { print($0) }
  /// // Prints ("a", true, 0.5, 1), ("a", true, 0.5, 2) on two lines.
  /// ```
  ///
  /// **Demand:** passed to every upstream unchanged, and counted. A value that arrives while nothing is requested, or
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
  /// Use ``combineLatest(_:)`` for two publishers, and `zip` to combine first with first, second with second.
  ///
  /// - Parameters:
  ///   - publisher1: The second publisher.
  ///   - publisher2: The third publisher.
  ///   - publisher3: The fourth publisher.
  /// - Returns: A publisher of tuples.
  @_alwaysEmitIntoClient
  public consuming func combineLatest<P: Publisher, Q: Publisher, R: Publisher>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R
  ) -> Publishers.CombineLatest4<Self, P, Q, R>
  where Failure == P.Failure, Failure == Q.Failure, Failure == R.Failure {
    Publishers.CombineLatest4(self, publisher1, publisher2, publisher3)
  }

  /// Combines the latest values of this publisher and three others with a closure, and publishes the result whenever
  /// one of them delivers.
  ///
  /// ![Once all four have delivered, each value is published with the latest of the others.](combine-latest-4)
  ///
  /// Nothing is published until each of them has delivered a value.
  ///
  /// ```swift
  /// let cancellable = Just("a")
  ///   .combineLatest(Just(true), Just(0.5), [1, 2].publisher) { "\($0) \($1) \($2) \($3)" }
  ///   .sink { print($0) }
  /// // Prints "a true 0.5 1", "a true 0.5 2" on two lines.
  /// ```
  ///
  /// **Demand:** passed to every upstream unchanged, and counted. A value that arrives while nothing is requested, or
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
  /// Use ``combineLatest(_:)`` for two publishers, and `zip` to combine first with first, second with second.
  ///
  /// - Parameters:
  ///   - publisher1: The second publisher.
  ///   - publisher2: The third publisher.
  ///   - publisher3: The fourth publisher.
  ///   - transform: A closure that combines four values into one.
  /// - Returns: A publisher of the closure's results.
  @_alwaysEmitIntoClient
  public consuming func combineLatest<P: Publisher, Q: Publisher, R: Publisher, T>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R,
    _ transform: @escaping (Output, P.Output, Q.Output, R.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest4<Self, P, Q, R>, T>
  where Failure == P.Failure, Failure == Q.Failure, Failure == R.Failure {
    combineLatest(publisher1, publisher2, publisher3).map { transform($0.0, $0.1, $0.2, $0.3) }
  }
}

extension Publishers {
  /// A publisher that combines the latest values of four publishers; see ``Publisher``'s `combineLatest`.
  public struct CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: CombineLatestOperator,
    _DerivedTypes
  where A.Failure == B.Failure, A.Failure == C.Failure, A.Failure == D.Failure {
    public typealias _Origin = Empty<(A.Output, B.Output, C.Output, D.Output), A.Failure>

    /// The first publisher.
    public let a: A

    /// The second publisher.
    public let b: B

    /// The third publisher.
    public let c: C

    /// The fourth publisher.
    public let d: D

    /// Creates a publisher that combines the latest values of four publishers.
    @_alwaysEmitIntoClient
    public init(_ a: A, _ b: B, _ c: C, _ d: D) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where Failure == S.Failure, S.Input == (A.Output, B.Output, C.Output, D.Output) {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient
    package func makeInlets() -> TupleInlets4<
      LatestInlet<A.Output>, LatestInlet<B.Output>, LatestInlet<C.Output>, LatestInlet<D.Output>
    > {
      TupleInlets4(LatestInlet(), LatestInlet(), LatestInlet(), LatestInlet())
    }

    @_alwaysEmitIntoClient
    package func join<Downstream: Subscriber>(
      _ core: CombineLatestCore<
        TupleInlets4<LatestInlet<A.Output>, LatestInlet<B.Output>, LatestInlet<C.Output>, LatestInlet<D.Output>>,
        Failure
      >,
      upstreamOf downstream: Downstream.Type
    ) where Downstream.Input == Self.Output, Downstream.Failure == Failure {
      core.join(a, core.tuple.a, upstreamOf: Downstream.self)
      core.join(b, core.tuple.b, upstreamOf: Downstream.self)
      core.join(c, core.tuple.c, upstreamOf: Downstream.self)
      core.join(d, core.tuple.d, upstreamOf: Downstream.self)
    }
  }
}

extension Publishers.CombineLatest4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}

extension Publishers.CombineLatest4: Sendable where A: Sendable, B: Sendable, C: Sendable, D: Sendable {}
