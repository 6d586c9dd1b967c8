// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Combines the latest values of this publisher and two others, and publishes them as a tuple whenever one of them
  /// delivers.
  ///
  /// ![Once all three have delivered, each value is published with the latest of the others.](combine-latest-3)
  ///
  /// Nothing is published until each of them has delivered a value.
  ///
  /// ```swift
  /// let cancellable = Just("a")
  ///   .combineLatest(Just(true), [1, 2].publisher)
  ///   .sink { print($0) }
  /// // Prints ("a", true, 1), ("a", true, 2) on two lines.
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
  /// - Returns: A publisher of tuples.
  @_alwaysEmitIntoClient
  public consuming func combineLatest<P: Publisher, Q: Publisher>(
    _ publisher1: P, _ publisher2: Q
  ) -> Publishers.CombineLatest3<Self, P, Q>
  where Failure == P.Failure, Failure == Q.Failure {
    Publishers.CombineLatest3(self, publisher1, publisher2)
  }

  /// Combines the latest values of this publisher and two others with a closure, and publishes the result whenever one
  /// of them delivers.
  ///
  /// ![Once all three have delivered, each value is published with the latest of the others.](combine-latest-3)
  ///
  /// Nothing is published until each of them has delivered a value.
  ///
  /// ```swift
  /// let cancellable = Just("a")
  ///   .combineLatest(Just(true), [1, 2].publisher) { "\($0) \($1) \($2)" }
  ///   .sink { print($0) }
  /// // Prints "a true 1", "a true 2" on two lines.
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
  ///   - transform: A closure that combines three values into one.
  /// - Returns: A publisher of the closure's results.
  @_alwaysEmitIntoClient
  public consuming func combineLatest<P: Publisher, Q: Publisher, T>(
    _ publisher1: P, _ publisher2: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest3<Self, P, Q>, T>
  where Failure == P.Failure, Failure == Q.Failure {
    combineLatest(publisher1, publisher2).map { transform($0.0, $0.1, $0.2) }
  }
}

extension Publishers {
  /// A publisher that combines the latest values of three publishers; see ``Publisher``'s `combineLatest`.
  public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: CombineLatestOperator, _DerivedTypes
  where A.Failure == B.Failure, A.Failure == C.Failure {
    public typealias _Origin = Empty<(A.Output, B.Output, C.Output), A.Failure>

    /// The first publisher.
    public let a: A

    /// The second publisher.
    public let b: B

    /// The third publisher.
    public let c: C

    /// Creates a publisher that combines the latest values of three publishers.
    @_alwaysEmitIntoClient
    public init(_ a: A, _ b: B, _ c: C) {
      self.a = a
      self.b = b
      self.c = c
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where Failure == S.Failure, S.Input == (A.Output, B.Output, C.Output) {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient
    package func makeInlets() -> TupleInlets3<LatestInlet<A.Output>, LatestInlet<B.Output>, LatestInlet<C.Output>> {
      TupleInlets3(LatestInlet(), LatestInlet(), LatestInlet())
    }

    @_alwaysEmitIntoClient
    package func join<Downstream: Subscriber>(
      _ core: CombineLatestCore<
        TupleInlets3<LatestInlet<A.Output>, LatestInlet<B.Output>, LatestInlet<C.Output>>, Failure
      >,
      upstreamOf downstream: Downstream.Type
    ) where Downstream.Input == Self.Output, Downstream.Failure == Failure {
      core.join(a, core.tuple.a, upstreamOf: Downstream.self)
      core.join(b, core.tuple.b, upstreamOf: Downstream.self)
      core.join(c, core.tuple.c, upstreamOf: Downstream.self)
    }
  }
}

extension Publishers.CombineLatest3: Equatable where A: Equatable, B: Equatable, C: Equatable {}

extension Publishers.CombineLatest3: Sendable where A: Sendable, B: Sendable, C: Sendable {}
