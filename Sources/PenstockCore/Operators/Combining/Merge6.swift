// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Republishes the values of this publisher and five others as they arrive.
  ///
  /// ![The values of all publishers are published as they come, until all have finished.](merge-3)
  ///
  /// The values of each publisher stay in order; between publishers, they are delivered as they arrive.
  ///
  /// ```swift
  /// let cancellable = Just(1).merge(with: Just(2), Just(3), Just(4), Just(5), Just(6))
  ///   .collect()
  ///   .sink { print($0) }
  /// // Prints "[1, 2, 3, 4, 5, 6]"
  /// ```
  ///
  /// **Demand:** one value at a time is requested from each upstream, and unlimited values once downstream has
  /// unlimited demand. A value that has not been requested waits, and no other is requested from its upstream. Values
  /// that wait are delivered in the order of the upstreams. `request(.none)` is ignored.
  ///
  /// **Completion:** when all upstreams have finished and no value waits.
  ///
  /// **Failure:** the first failure ends the stream: all upstreams are cancelled, and values that wait are dropped.
  ///
  /// **Concurrency:** upstreams may deliver on different threads; deliveries to downstream never overlap. A value that
  /// arrives while another thread is delivering is queued, and delivered by that thread.
  ///
  /// Use ``Publishers/MergeMany`` for a list of publishers, and `combineLatest` or `zip` to combine values into tuples.
  ///
  /// - Parameters:
  ///   - b: The second publisher.
  ///   - c: The third publisher.
  ///   - d: The fourth publisher.
  ///   - e: The fifth publisher.
  ///   - f: The sixth publisher.
  /// - Returns: A publisher of the values of all six.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher>(
    with b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) -> Publishers.Merge6<Self, B, C, D, E, F>
  where
    Failure == B.Failure, Failure == C.Failure, Failure == D.Failure, Failure == E.Failure, Failure == F.Failure,
    Output == B.Output, Output == C.Output, Output == D.Output, Output == E.Output, Output == F.Output
  {
    Publishers.Merge6(self, b, c, d, e, f)
  }
}

extension Publishers {
  /// A publisher of the values of six publishers as they arrive; see ``Publisher``'s `merge`.
  public struct Merge6<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher>:
    MergeOperator, _DerivedTypes
  where
    A.Failure == B.Failure, A.Failure == C.Failure, A.Failure == D.Failure, A.Failure == E.Failure,
    A.Failure == F.Failure, A.Output == B.Output, A.Output == C.Output, A.Output == D.Output, A.Output == E.Output,
    A.Output == F.Output
  {
    public typealias _Origin = A

    /// The first publisher.
    public let a: A

    /// The second publisher.
    public let b: B

    /// The third publisher.
    public let c: C

    /// The fourth publisher.
    public let d: D

    /// The fifth publisher.
    public let e: E

    /// The sixth publisher.
    public let f: F

    /// Creates a publisher of the values of six publishers as they arrive.
    @_alwaysEmitIntoClient
    public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
      self.e = e
      self.f = f
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Self.Output == S.Input {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient
    package var upstreamCount: Int { 6 }

    @_alwaysEmitIntoClient
    package func join<Downstream: Subscriber>(
      _ core: MergeCore<Self.Output, Failure>, upstreamOf downstream: Downstream.Type
    )
    where Downstream.Input == Self.Output, Downstream.Failure == Failure {
      core.join(a, at: 0, upstreamOf: Downstream.self)
      core.join(b, at: 1, upstreamOf: Downstream.self)
      core.join(c, at: 2, upstreamOf: Downstream.self)
      core.join(d, at: 3, upstreamOf: Downstream.self)
      core.join(e, at: 4, upstreamOf: Downstream.self)
      core.join(f, at: 5, upstreamOf: Downstream.self)
    }
  }
}

extension Publishers.Merge6 {
  /// Merges one more publisher, as part of the same operator.
  @_alwaysEmitIntoClient
  public func merge<P: Publisher>(with other: P) -> Publishers.Merge7<A, B, C, D, E, F, P>
  where P.Failure == Failure, P.Output == Self.Output {
    Publishers.Merge7(a, b, c, d, e, f, other)
  }

  /// Merges two more publishers, as part of the same operator.
  @_alwaysEmitIntoClient
  public func merge<Z: Publisher, Y: Publisher>(with z: Z, _ y: Y) -> Publishers.Merge8<A, B, C, D, E, F, Z, Y>
  where Z.Failure == Failure, Y.Failure == Failure, Z.Output == Self.Output, Y.Output == Self.Output {
    Publishers.Merge8(a, b, c, d, e, f, z, y)
  }
}

extension Publishers.Merge6: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable {}

extension Publishers.Merge6: Sendable
where A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable {}
