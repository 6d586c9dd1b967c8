// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Combines the values of this publisher and another one in pairs: first with first, second with second.
  ///
  /// ![The first value goes with the first, the second with the second. A value waits for its partner.](zip)
  ///
  /// ```swift
  /// let cancellable = [1, 2, 3].publisher
  ///   .zip(["a", "b"].publisher)
  ///   .sink { print($0) }
  /// // Prints (1, "a"), (2, "b") on two lines.
  /// ```
  ///
  /// **Demand:** passed to both upstreams unchanged. Values that arrive early are kept, without a limit; as soon as
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
  /// Use ``combineLatest(_:)`` to combine each value with the latest of the other publisher, and
  /// ``merge(with:)->Publishers.Merge<Self,P>`` for values of the same type that need no pairing.
  ///
  /// - Parameter other: The other publisher.
  /// - Returns: A publisher of tuples.
  @_alwaysEmitIntoClient
  public consuming func zip<P: Publisher>(_ other: P) -> Publishers.Zip<Self, P> where Failure == P.Failure {
    Publishers.Zip(self, other)
  }

  /// Combines the values of this publisher and another one with a closure: first with first, second with second.
  ///
  /// ![The first values are multiplied, then the second ones. A value waits for its partner.](zip-transform)
  ///
  /// ```swift
  /// let cancellable = [1, 2, 3].publisher
  ///   .zip(["a", "b"].publisher) { "\($0) \($1)" }
  ///   .sink { print($0) }
  /// // Prints "1 a", "2 b" on two lines.
  /// ```
  ///
  /// **Demand:** passed to both upstreams unchanged. Values that arrive early are kept, without a limit; as soon as
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
  /// Use ``combineLatest(_:)`` to combine each value with the latest of the other publisher, and
  /// ``merge(with:)->Publishers.Merge<Self,P>`` for values of the same type that need no pairing.
  ///
  /// - Parameters:
  ///   - other: The other publisher.
  ///   - transform: A closure that combines two values into one.
  /// - Returns: A publisher of the closure's results.
  @_alwaysEmitIntoClient
  public consuming func zip<P: Publisher, T>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> T
  ) -> Publishers.Map<Publishers.Zip<Self, P>, T>
  where Failure == P.Failure {
    zip(other).map { transform($0.0, $0.1) }
  }
}

extension Publishers {
  /// A publisher that combines the values of two publishers in order; see ``Publisher``'s `zip`.
  public struct Zip<A: Publisher, B: Publisher>: ZipOperator, _DerivedTypes
  where A.Failure == B.Failure {
    public typealias _Origin = Empty<(A.Output, B.Output), A.Failure>

    /// The first publisher.
    public let a: A

    /// The second publisher.
    public let b: B

    /// Creates a publisher that combines the values of two publishers in order.
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
    package func makeInlets() -> TupleInlets2<QueueInlet<A.Output>, QueueInlet<B.Output>> {
      TupleInlets2(QueueInlet(), QueueInlet())
    }

    @_alwaysEmitIntoClient
    package func join<Downstream: Subscriber>(
      _ core: ZipCore<TupleInlets2<QueueInlet<A.Output>, QueueInlet<B.Output>>, Failure>,
      upstreamOf downstream: Downstream.Type
    ) where Downstream.Input == Self.Output, Downstream.Failure == Failure {
      core.join(a, core.tuple.a, upstreamOf: Downstream.self)
      core.join(b, core.tuple.b, upstreamOf: Downstream.self)
    }
  }
}

extension Publishers.Zip: Equatable where A: Equatable, B: Equatable {}

extension Publishers.Zip: Sendable where A: Sendable, B: Sendable {}
