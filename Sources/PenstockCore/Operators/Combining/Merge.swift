// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Republishes the values of this publisher and another one as they arrive.
  ///
  /// ![The values of both are published as they come. The output finishes when both have finished.](merge)
  ///
  /// The values of each publisher stay in order; between publishers, they are delivered as they arrive.
  ///
  /// ```swift
  /// let cancellable = Just(1).merge(with: Just(2))
  ///   .collect()
  ///   .sink { print($0) }
  /// // Prints "[1, 2]"
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
  /// Use ``combineLatest(_:)`` or ``zip(_:)`` to combine values into tuples, and ``append(_:)-(Self.Output...)`` to run
  /// one publisher after the other. ``Publishers/MergeMany`` merges a list of publishers.
  ///
  /// - Parameter other: The other publisher.
  /// - Returns: A publisher of the values of both.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func merge<P: Publisher>(with other: P) -> Publishers.Merge<Self, P>
  where Failure == P.Failure, Output == P.Output {
    Publishers.Merge(self, other)
  }
}

extension Publishers {
  /// A publisher of the values of two publishers as they arrive; see ``Publisher``'s `merge(with:)`.
  public struct Merge<A: Publisher, B: Publisher>: MergeOperator, _DerivedTypes
  where A.Failure == B.Failure, A.Output == B.Output {
    public typealias _Origin = A

    /// The first publisher.
    public let a: A

    /// The second publisher.
    public let b: B

    /// Creates a publisher of the values of two publishers as they arrive.
    @_alwaysEmitIntoClient
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Self.Output == S.Input {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient
    package var upstreamCount: Int { 2 }

    @_alwaysEmitIntoClient
    package func join<Downstream: Subscriber>(
      _ core: MergeCore<Self.Output, Failure>, upstreamOf downstream: Downstream.Type
    )
    where Downstream.Input == Self.Output, Downstream.Failure == Failure {
      core.join(a, at: 0, upstreamOf: Downstream.self)
      core.join(b, at: 1, upstreamOf: Downstream.self)
    }
  }
}

extension Publishers.Merge {
  /// Merges one more publisher, as part of the same operator.
  @_alwaysEmitIntoClient
  public func merge<P: Publisher>(with other: P) -> Publishers.Merge3<A, B, P>
  where P.Failure == Failure, P.Output == Self.Output {
    Publishers.Merge3(a, b, other)
  }

  /// Merges two more publishers, as part of the same operator.
  @_alwaysEmitIntoClient
  public func merge<Z: Publisher, Y: Publisher>(with z: Z, _ y: Y) -> Publishers.Merge4<A, B, Z, Y>
  where Z.Failure == Failure, Y.Failure == Failure, Z.Output == Self.Output, Y.Output == Self.Output {
    Publishers.Merge4(a, b, z, y)
  }

  /// Merges three more publishers, as part of the same operator.
  @_alwaysEmitIntoClient
  public func merge<Z: Publisher, Y: Publisher, X: Publisher>(
    with z: Z, _ y: Y, _ x: X
  ) -> Publishers.Merge5<A, B, Z, Y, X>
  where
    Z.Failure == Failure, Y.Failure == Failure, X.Failure == Failure, Z.Output == Self.Output, Y.Output == Self.Output,
    X.Output == Self.Output
  {
    Publishers.Merge5(a, b, z, y, x)
  }

  /// Merges four more publishers, as part of the same operator.
  @_alwaysEmitIntoClient
  public func merge<Z: Publisher, Y: Publisher, X: Publisher, W: Publisher>(
    with z: Z, _ y: Y, _ x: X, _ w: W
  ) -> Publishers.Merge6<A, B, Z, Y, X, W>
  where
    Z.Failure == Failure, Y.Failure == Failure, X.Failure == Failure, W.Failure == Failure, Z.Output == Self.Output,
    Y.Output == Self.Output, X.Output == Self.Output, W.Output == Self.Output
  {
    Publishers.Merge6(a, b, z, y, x, w)
  }

  /// Merges five more publishers, as part of the same operator.
  @_alwaysEmitIntoClient
  public func merge<Z: Publisher, Y: Publisher, X: Publisher, W: Publisher, V: Publisher>(
    with z: Z, _ y: Y, _ x: X, _ w: W, _ v: V
  ) -> Publishers.Merge7<A, B, Z, Y, X, W, V>
  where
    Z.Failure == Failure, Y.Failure == Failure, X.Failure == Failure, W.Failure == Failure, V.Failure == Failure,
    Z.Output == Self.Output, Y.Output == Self.Output, X.Output == Self.Output, W.Output == Self.Output,
    V.Output == Self.Output
  {
    Publishers.Merge7(a, b, z, y, x, w, v)
  }

  /// Merges six more publishers, as part of the same operator.
  @_alwaysEmitIntoClient
  public func merge<Z: Publisher, Y: Publisher, X: Publisher, W: Publisher, V: Publisher, U: Publisher>(
    with z: Z, _ y: Y, _ x: X, _ w: W, _ v: V, _ u: U
  ) -> Publishers.Merge8<A, B, Z, Y, X, W, V, U>
  where
    Z.Failure == Failure, Y.Failure == Failure, X.Failure == Failure, W.Failure == Failure, V.Failure == Failure,
    U.Failure == Failure, Z.Output == Self.Output, Y.Output == Self.Output, X.Output == Self.Output,
    W.Output == Self.Output,
    V.Output == Self.Output, U.Output == Self.Output
  {
    Publishers.Merge8(a, b, z, y, x, w, v, u)
  }
}

extension Publishers.Merge: Equatable where A: Equatable, B: Equatable {}

extension Publishers.Merge: Sendable where A: Sendable, B: Sendable {}
