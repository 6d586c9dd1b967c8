// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Pairs the values of this publisher with those of another, first with first, second with second.
  ///
  /// ```swift
  /// let cancellable = [1, 2, 3].publisher
  ///   .zip(["a", "b"].publisher)
  ///   .sink { print($0) }
  /// // Prints (1, "a"), (2, "b") on two lines.
  /// ```
  ///
  /// **Demand:** passed to both upstreams unchanged. What comes early is kept, without a bound; as soon as every
  /// upstream has a value, they go out together. What downstream asks for in return goes to all upstreams.
  /// `request(.none)` traps.
  ///
  /// **Completion:** as soon as an upstream has finished and none of its values is left: no further tuple is possible.
  /// The others are cancelled.
  ///
  /// **Failure:** the first one ends the stream: all upstreams are cancelled, and what was kept is dropped.
  ///
  /// **Concurrency:** upstreams may deliver on different threads; deliveries to downstream never overlap. A value that
  /// comes while another thread is delivering is queued, and dealt with by that thread.
  ///
  /// - Parameter other: The other publisher.
  /// - Returns: A publisher of tuples.
  @inlinable
  public func zip<P: Publisher>(_ other: P) -> Publishers.Zip<Self, P> where Failure == P.Failure {
    Publishers.Zip(self, other)
  }

  /// Combines the values of this publisher and of another by a closure, first with first, second with second.
  ///
  /// ```swift
  /// let cancellable = [1, 2, 3].publisher
  ///   .zip(["a", "b"].publisher) { "\($0) \($1)" }
  ///   .sink { print($0) }
  /// // Prints "1 a", "2 b" on two lines.
  /// ```
  ///
  /// **Demand:** passed to both upstreams unchanged. What comes early is kept, without a bound; as soon as every
  /// upstream has a value, they go out together. What downstream asks for in return goes to all upstreams.
  /// `request(.none)` traps.
  ///
  /// **Completion:** as soon as an upstream has finished and none of its values is left: no further tuple is possible.
  /// The others are cancelled.
  ///
  /// **Failure:** the first one ends the stream: all upstreams are cancelled, and what was kept is dropped.
  ///
  /// **Concurrency:** upstreams may deliver on different threads; deliveries to downstream never overlap. A value that
  /// comes while another thread is delivering is queued, and dealt with by that thread.
  ///
  /// - Parameters:
  ///   - other: The other publisher.
  ///   - transform: Makes one value of the two.
  /// - Returns: A publisher of what the closure returns.
  @inlinable
  public func zip<P: Publisher, T>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> T
  ) -> Publishers.Map<Publishers.Zip<Self, P>, T>
  where Failure == P.Failure {
    zip(other).map { transform($0.0, $0.1) }
  }
}

extension Publishers {
  /// A publisher that combines the values of two others in the order they come; see ``Publisher``'s `zip`.
  public struct Zip<A: Publisher, B: Publisher>: Publisher
  where A.Failure == B.Failure {
    public typealias Output = (A.Output, B.Output)
    public typealias Failure = A.Failure

    /// The first publisher.
    public let a: A

    /// The second publisher.
    public let b: B

    /// Makes a publisher that combines the values of two others in the order they come.
    @inlinable
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, S.Input == (A.Output, B.Output) {
      let row = Row2(QueueLane<A.Output>(), QueueLane<B.Output>())
      let core = ZipCore(row, to: subscriber)
      core.beginJoining()
      core.join(a, row.a)
      core.join(b, row.b)
      core.endJoining()
    }
  }
}

extension Publishers.Zip: Equatable where A: Equatable, B: Equatable {}

extension Publishers.Zip: Sendable where A: Sendable, B: Sendable {}
