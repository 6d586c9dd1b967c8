// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Combines the values of this publisher and two others into tuples: first with first, second with second.
  ///
  /// ![The first values of all three go together, then the second ones.](zip-3)
  ///
  /// ```swift
  /// let cancellable = [1, 2, 3].publisher
  ///   .zip(["a", "b"].publisher, [true, false].publisher)
  ///   .sink { print($0) }
  /// // Prints (1, "a", true), (2, "b", false) on two lines.
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
  /// - Returns: A publisher of tuples.
  @_alwaysEmitIntoClient
  public consuming func zip<P: Publisher, Q: Publisher>(_ publisher1: P, _ publisher2: Q)
    -> Publishers.Zip3<Self, P, Q>
  where Failure == P.Failure, Failure == Q.Failure {
    Publishers.Zip3(self, publisher1, publisher2)
  }

  /// Combines the values of this publisher and two others with a closure: first with first, second with second.
  ///
  /// ![The first values of all three go together, then the second ones.](zip-3)
  ///
  /// ```swift
  /// let cancellable = [1, 2, 3].publisher
  ///   .zip(["a", "b"].publisher, [true, false].publisher) { "\($0) \($1) \($2)" }
  ///   .sink { print($0) }
  /// // Prints "1 a true", "2 b false" on two lines.
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
  ///   - transform: A closure that combines three values into one.
  /// - Returns: A publisher of the closure's results.
  @_alwaysEmitIntoClient
  public consuming func zip<P: Publisher, Q: Publisher, T>(
    _ publisher1: P, _ publisher2: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> T
  ) -> Publishers.Map<Publishers.Zip3<Self, P, Q>, T>
  where Failure == P.Failure, Failure == Q.Failure {
    zip(publisher1, publisher2).map { transform($0.0, $0.1, $0.2) }
  }
}

extension Publishers {
  /// A publisher that combines the values of three publishers in order; see ``Publisher``'s `zip`.
  public struct Zip3<A: Publisher, B: Publisher, C: Publisher>: ZipOperator, _DerivedTypes
  where A.Failure == B.Failure, A.Failure == C.Failure {
    public typealias _Origin = Empty<(A.Output, B.Output, C.Output), A.Failure>

    /// The first publisher.
    public let a: A

    /// The second publisher.
    public let b: B

    /// The third publisher.
    public let c: C

    /// Creates a publisher that combines the values of three publishers in order.
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
    package func makeInlets() -> TupleInlets3<QueueInlet<A.Output>, QueueInlet<B.Output>, QueueInlet<C.Output>> {
      TupleInlets3(QueueInlet(), QueueInlet(), QueueInlet())
    }

    @_alwaysEmitIntoClient
    package func join<Downstream: Subscriber>(
      _ core: ZipCore<TupleInlets3<QueueInlet<A.Output>, QueueInlet<B.Output>, QueueInlet<C.Output>>, Failure>,
      upstreamOf downstream: Downstream.Type
    ) where Downstream.Input == Self.Output, Downstream.Failure == Failure {
      core.join(a, core.tuple.a, upstreamOf: Downstream.self)
      core.join(b, core.tuple.b, upstreamOf: Downstream.self)
      core.join(c, core.tuple.c, upstreamOf: Downstream.self)
    }
  }
}

extension Publishers.Zip3: Equatable where A: Equatable, B: Equatable, C: Equatable {}

extension Publishers.Zip3: Sendable where A: Sendable, B: Sendable, C: Sendable {}
