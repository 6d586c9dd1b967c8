// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Delivers the values of this publisher and of another publisher, as they come.
  ///
  /// The order of each publisher's values is kept; between publishers, whoever has a value first is first.
  ///
  /// ```swift
  /// let cancellable = Just(1).merge(with: Just(2))
  ///   .collect()
  ///   .sink { print($0) }
  /// // Prints "[1, 2]"
  /// ```
  ///
  /// **Demand:** every upstream is asked for one value at a time, and for everything once downstream wants everything.
  /// A value that has not been asked for waits, and its upstream is asked for no other. What waits goes out in the
  /// order of the upstreams. `request(.none)` is ignored.
  ///
  /// **Completion:** when all upstreams have finished and nothing waits.
  ///
  /// **Failure:** the first one ends the stream: all upstreams are cancelled, and what waits is dropped.
  ///
  /// **Concurrency:** upstreams may deliver on different threads; deliveries to downstream never overlap. A value that
  /// comes while another thread is delivering is queued, and delivered by that thread.
  ///
  /// - Parameter other: The other publisher.
  /// - Returns: A publisher of the values of both.
  @inlinable
  public func merge<P: Publisher>(with other: P) -> Publishers.Merge<Self, P>
  where Failure == P.Failure, Output == P.Output {
    Publishers.Merge(self, other)
  }
}

extension Publishers {
  /// A publisher that delivers the values of two others as they come; see ``Publisher``'s `merge(with:)`.
  public struct Merge<A: Publisher, B: Publisher>: Publisher
  where A.Failure == B.Failure, A.Output == B.Output {
    public typealias Output = A.Output
    public typealias Failure = A.Failure

    /// The first publisher.
    public let a: A

    /// The second publisher.
    public let b: B

    /// Makes a publisher that delivers the values of two others as they come.
    @inlinable
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
      let core = MergeCore(2, to: subscriber)
      core.start()
      core.join(a, at: 0)
      core.join(b, at: 1)
      core.endJoining()
    }
  }
}

extension Publishers.Merge {
  /// Delivers the values of one more publisher as well: a merge of three, not a merge of a merge.
  @inlinable
  public func merge<P: Publisher>(with other: P) -> Publishers.Merge3<A, B, P>
  where P.Failure == Failure, P.Output == Output {
    Publishers.Merge3(a, b, other)
  }

  /// Delivers the values of two more publishers as well: a merge of four, not a merge of a merge.
  @inlinable
  public func merge<Z: Publisher, Y: Publisher>(with z: Z, _ y: Y) -> Publishers.Merge4<A, B, Z, Y>
  where Z.Failure == Failure, Y.Failure == Failure, Z.Output == Output, Y.Output == Output {
    Publishers.Merge4(a, b, z, y)
  }

  /// Delivers the values of three more publishers as well: a merge of five, not a merge of a merge.
  @inlinable
  public func merge<Z: Publisher, Y: Publisher, X: Publisher>(
    with z: Z, _ y: Y, _ x: X
  ) -> Publishers.Merge5<A, B, Z, Y, X>
  where
    Z.Failure == Failure, Y.Failure == Failure, X.Failure == Failure, Z.Output == Output, Y.Output == Output,
    X.Output == Output
  {
    Publishers.Merge5(a, b, z, y, x)
  }

  /// Delivers the values of four more publishers as well: a merge of six, not a merge of a merge.
  @inlinable
  public func merge<Z: Publisher, Y: Publisher, X: Publisher, W: Publisher>(
    with z: Z, _ y: Y, _ x: X, _ w: W
  ) -> Publishers.Merge6<A, B, Z, Y, X, W>
  where
    Z.Failure == Failure, Y.Failure == Failure, X.Failure == Failure, W.Failure == Failure, Z.Output == Output,
    Y.Output == Output, X.Output == Output, W.Output == Output
  {
    Publishers.Merge6(a, b, z, y, x, w)
  }

  /// Delivers the values of five more publishers as well: a merge of seven, not a merge of a merge.
  @inlinable
  public func merge<Z: Publisher, Y: Publisher, X: Publisher, W: Publisher, V: Publisher>(
    with z: Z, _ y: Y, _ x: X, _ w: W, _ v: V
  ) -> Publishers.Merge7<A, B, Z, Y, X, W, V>
  where
    Z.Failure == Failure, Y.Failure == Failure, X.Failure == Failure, W.Failure == Failure, V.Failure == Failure,
    Z.Output == Output, Y.Output == Output, X.Output == Output, W.Output == Output, V.Output == Output
  {
    Publishers.Merge7(a, b, z, y, x, w, v)
  }

  /// Delivers the values of six more publishers as well: a merge of eight, not a merge of a merge.
  @inlinable
  public func merge<Z: Publisher, Y: Publisher, X: Publisher, W: Publisher, V: Publisher, U: Publisher>(
    with z: Z, _ y: Y, _ x: X, _ w: W, _ v: V, _ u: U
  ) -> Publishers.Merge8<A, B, Z, Y, X, W, V, U>
  where
    Z.Failure == Failure, Y.Failure == Failure, X.Failure == Failure, W.Failure == Failure, V.Failure == Failure,
    U.Failure == Failure, Z.Output == Output, Y.Output == Output, X.Output == Output, W.Output == Output,
    V.Output == Output, U.Output == Output
  {
    Publishers.Merge8(a, b, z, y, x, w, v, u)
  }
}

extension Publishers.Merge: Equatable where A: Equatable, B: Equatable {}

extension Publishers.Merge: Sendable where A: Sendable, B: Sendable {}
