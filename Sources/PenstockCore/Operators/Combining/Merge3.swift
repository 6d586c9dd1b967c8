// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Republishes the values of this publisher and two others as they arrive.
  ///
  /// ![The values of all publishers are published as they come, until all have finished.](merge-3)
  ///
  /// The values of each publisher stay in order; between publishers, they are delivered as they arrive.
  ///
  /// ```swift
  /// let cancellable = Just(1).merge(with: Just(2), Just(3))
  ///   .collect()
  ///   .sink { print($0) }
  /// // Prints "[1, 2, 3]"
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
  /// - Returns: A publisher of the values of all three.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func merge<B: Publisher, C: Publisher>(with b: B, _ c: C) -> Publishers.Merge3<Self, B, C>
  where Failure == B.Failure, Failure == C.Failure, Output == B.Output, Output == C.Output {
    Publishers.Merge3(self, b, c)
  }
}

extension Publishers {
  /// A publisher of the values of three publishers as they arrive; see ``Publisher``'s `merge`.
  public struct Merge3<A: Publisher, B: Publisher, C: Publisher>: MergeOperator, _DerivedTypes
  where A.Failure == B.Failure, A.Failure == C.Failure, A.Output == B.Output, A.Output == C.Output {
    public typealias _Origin = A

    /// The first publisher.
    public let a: A

    /// The second publisher.
    public let b: B

    /// The third publisher.
    public let c: C

    /// Creates a publisher of the values of three publishers as they arrive.
    @_alwaysEmitIntoClient
    public init(_ a: A, _ b: B, _ c: C) {
      self.a = a
      self.b = b
      self.c = c
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Self.Output == S.Input {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient
    package var upstreamCount: Int { 3 }

    @_alwaysEmitIntoClient
    package func join<Downstream: Subscriber>(
      _ core: MergeCore<Self.Output, Failure>, upstreamOf downstream: Downstream.Type
    )
    where Downstream.Input == Self.Output, Downstream.Failure == Failure {
      core.join(a, at: 0, upstreamOf: Downstream.self)
      core.join(b, at: 1, upstreamOf: Downstream.self)
      core.join(c, at: 2, upstreamOf: Downstream.self)
    }
  }
}

extension Publishers.Merge3 {
  /// Merges one more publisher, as part of the same operator.
  @_alwaysEmitIntoClient
  public func merge<P: Publisher>(with other: P) -> Publishers.Merge4<A, B, C, P>
  where P.Failure == Failure, P.Output == Self.Output {
    Publishers.Merge4(a, b, c, other)
  }

  /// Merges two more publishers, as part of the same operator.
  @_alwaysEmitIntoClient
  public func merge<Z: Publisher, Y: Publisher>(with z: Z, _ y: Y) -> Publishers.Merge5<A, B, C, Z, Y>
  where Z.Failure == Failure, Y.Failure == Failure, Z.Output == Self.Output, Y.Output == Self.Output {
    Publishers.Merge5(a, b, c, z, y)
  }

  /// Merges three more publishers, as part of the same operator.
  @_alwaysEmitIntoClient
  public func merge<Z: Publisher, Y: Publisher, X: Publisher>(
    with z: Z, _ y: Y, _ x: X
  ) -> Publishers.Merge6<A, B, C, Z, Y, X>
  where
    Z.Failure == Failure, Y.Failure == Failure, X.Failure == Failure, Z.Output == Self.Output, Y.Output == Self.Output,
    X.Output == Self.Output
  {
    Publishers.Merge6(a, b, c, z, y, x)
  }

  /// Merges four more publishers, as part of the same operator.
  @_alwaysEmitIntoClient
  public func merge<Z: Publisher, Y: Publisher, X: Publisher, W: Publisher>(
    with z: Z, _ y: Y, _ x: X, _ w: W
  ) -> Publishers.Merge7<A, B, C, Z, Y, X, W>
  where
    Z.Failure == Failure, Y.Failure == Failure, X.Failure == Failure, W.Failure == Failure, Z.Output == Self.Output,
    Y.Output == Self.Output, X.Output == Self.Output, W.Output == Self.Output
  {
    Publishers.Merge7(a, b, c, z, y, x, w)
  }

  /// Merges five more publishers, as part of the same operator.
  @_alwaysEmitIntoClient
  public func merge<Z: Publisher, Y: Publisher, X: Publisher, W: Publisher, V: Publisher>(
    with z: Z, _ y: Y, _ x: X, _ w: W, _ v: V
  ) -> Publishers.Merge8<A, B, C, Z, Y, X, W, V>
  where
    Z.Failure == Failure, Y.Failure == Failure, X.Failure == Failure, W.Failure == Failure, V.Failure == Failure,
    Z.Output == Self.Output, Y.Output == Self.Output, X.Output == Self.Output, W.Output == Self.Output,
    V.Output == Self.Output
  {
    Publishers.Merge8(a, b, c, z, y, x, w, v)
  }
}

extension Publishers.Merge3: Equatable where A: Equatable, B: Equatable, C: Equatable {}

extension Publishers.Merge3: Sendable where A: Sendable, B: Sendable, C: Sendable {}
