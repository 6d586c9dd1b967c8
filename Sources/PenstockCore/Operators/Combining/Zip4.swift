// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Combines the values of this publisher and three others into tuples: first with first, second with second.
  ///
  /// ![The first values of all four go together, then the second ones.](zip-4)
  ///
  /// ```swift
  /// let cancellable = [1, 2, 3].publisher
  ///   .zip(["a", "b"].publisher, [true, false].publisher, [0.5, 1.5].publisher)
  ///   .sink { print($0) }
  /// // Prints (1, "a", true, 0.5), (2, "b", false, 1.5) on two lines.
  /// ```
  ///
  /// **Demand:** passed to every upstream unchanged. Values that arrive early are kept, without a limit; as soon as
  /// every upstream has one, they are delivered together. Demand that a delivery returns is requested from all
  /// upstreams. `request(.none)` traps.
  ///
  /// **Completion:** as soon as an upstream has finished and none of its values is left: no further tuple is possible.
  /// The others are cancelled.
  ///
  /// **Failure:** the first failure ends the stream: all upstreams are cancelled, and kept values are dropped.
  ///
  /// **Concurrency:** upstreams may deliver on different threads; deliveries to downstream never overlap. A value that
  /// arrives while another thread is delivering is queued, and handled by that thread.
  ///
  /// Use ``zip(_:)`` for two publishers, and `combineLatest` to combine the latest values.
  ///
  /// - Parameters:
  ///   - publisher1: The second publisher.
  ///   - publisher2: The third publisher.
  ///   - publisher3: The fourth publisher.
  /// - Returns: A publisher of tuples.
  @_alwaysEmitIntoClient
  public consuming func zip<P: Publisher, Q: Publisher, R: Publisher>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R
  ) -> Publishers.Zip4<Self, P, Q, R>
  where Failure == P.Failure, Failure == Q.Failure, Failure == R.Failure {
    Publishers.Zip4(self, publisher1, publisher2, publisher3)
  }

  /// Combines the values of this publisher and three others with a closure: first with first, second with second.
  ///
  /// ![The first values of all four go together, then the second ones.](zip-4)
  ///
  /// ```swift
  /// let cancellable = [1, 2, 3].publisher
  ///   .zip(["a", "b"].publisher, [true, false].publisher, [0.5, 1.5].publisher) { "\($0) \($1) \($2) \($3)" }
  ///   .sink { print($0) }
  /// // Prints "1 a true 0.5", "2 b false 1.5" on two lines.
  /// ```
  ///
  /// **Demand:** passed to every upstream unchanged. Values that arrive early are kept, without a limit; as soon as
  /// every upstream has one, they are delivered together. Demand that a delivery returns is requested from all
  /// upstreams. `request(.none)` traps.
  ///
  /// **Completion:** as soon as an upstream has finished and none of its values is left: no further tuple is possible.
  /// The others are cancelled.
  ///
  /// **Failure:** the first failure ends the stream: all upstreams are cancelled, and kept values are dropped.
  ///
  /// **Concurrency:** upstreams may deliver on different threads; deliveries to downstream never overlap. A value that
  /// arrives while another thread is delivering is queued, and handled by that thread.
  ///
  /// Use ``zip(_:)`` for two publishers, and `combineLatest` to combine the latest values.
  ///
  /// - Parameters:
  ///   - publisher1: The second publisher.
  ///   - publisher2: The third publisher.
  ///   - publisher3: The fourth publisher.
  ///   - transform: A closure that combines four values into one.
  /// - Returns: A publisher of the closure's results.
  @_alwaysEmitIntoClient
  public consuming func zip<P: Publisher, Q: Publisher, R: Publisher, T>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R,
    _ transform: @escaping (Output, P.Output, Q.Output, R.Output) -> T
  ) -> Publishers.Map<Publishers.Zip4<Self, P, Q, R>, T>
  where Failure == P.Failure, Failure == Q.Failure, Failure == R.Failure {
    zip(publisher1, publisher2, publisher3).map { transform($0.0, $0.1, $0.2, $0.3) }
  }
}

extension Publishers {
  /// A publisher that combines the values of four publishers in order; see ``Publisher``'s `zip`.
  public struct Zip4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: ZipOperator, _DerivedTypes
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

    /// Creates a publisher that combines the values of four publishers in order.
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
      QueueInlet<A.Output>, QueueInlet<B.Output>, QueueInlet<C.Output>, QueueInlet<D.Output>
    > {
      TupleInlets4(QueueInlet(), QueueInlet(), QueueInlet(), QueueInlet())
    }

    @_alwaysEmitIntoClient
    package func join<Downstream: Subscriber>(
      _ core: ZipCore<
        TupleInlets4<QueueInlet<A.Output>, QueueInlet<B.Output>, QueueInlet<C.Output>, QueueInlet<D.Output>>, Failure
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

extension Publishers.Zip4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}

extension Publishers.Zip4: Sendable where A: Sendable, B: Sendable, C: Sendable, D: Sendable {}
