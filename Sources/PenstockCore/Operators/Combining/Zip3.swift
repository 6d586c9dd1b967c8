// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Combines the values of this publisher and of two others into tuples, first with first, second with second.
  ///
  /// ```swift
  /// let cancellable = [1, 2, 3].publisher
  ///   .zip(["a", "b"].publisher, [true, false].publisher)
  ///   .sink { print($0) }
  /// // Prints (1, "a", true), (2, "b", false) on two lines.
  /// ```
  ///
  /// **Demand:** passed to every upstream unchanged. What comes early is kept, without a bound; as soon as every
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
  ///   - publisher1: The second publisher.
  ///   - publisher2: The third publisher.
  /// - Returns: A publisher of tuples.
  @inlinable
  public func zip<P: Publisher, Q: Publisher>(_ publisher1: P, _ publisher2: Q) -> Publishers.Zip3<Self, P, Q>
  where Failure == P.Failure, Failure == Q.Failure {
    Publishers.Zip3(self, publisher1, publisher2)
  }

  /// Combines the values of this publisher and of two others by a closure, first with first, second with second.
  ///
  /// ```swift
  /// let cancellable = [1, 2, 3].publisher
  ///   .zip(["a", "b"].publisher, [true, false].publisher) { "\($0) \($1) \($2)" }
  ///   .sink { print($0) }
  /// // Prints "1 a true", "2 b false" on two lines.
  /// ```
  ///
  /// **Demand:** passed to every upstream unchanged. What comes early is kept, without a bound; as soon as every
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
  ///   - publisher1: The second publisher.
  ///   - publisher2: The third publisher.
  ///   - transform: Makes one value of the three.
  /// - Returns: A publisher of what the closure returns.
  @inlinable
  public func zip<P: Publisher, Q: Publisher, T>(
    _ publisher1: P, _ publisher2: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> T
  ) -> Publishers.Map<Publishers.Zip3<Self, P, Q>, T>
  where Failure == P.Failure, Failure == Q.Failure {
    zip(publisher1, publisher2).map { transform($0.0, $0.1, $0.2) }
  }
}

extension Publishers {
  /// A publisher that combines the values of three others in the order they come; see ``Publisher``'s `zip`.
  public struct Zip3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where A.Failure == B.Failure, A.Failure == C.Failure {
    public typealias Output = (A.Output, B.Output, C.Output)
    public typealias Failure = A.Failure

    /// The first publisher.
    public let a: A

    /// The second publisher.
    public let b: B

    /// The third publisher.
    public let c: C

    /// Makes a publisher that combines the values of three others in the order they come.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C) {
      self.a = a
      self.b = b
      self.c = c
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where Failure == S.Failure, S.Input == (A.Output, B.Output, C.Output) {
      let row = Row3(QueueLane<A.Output>(), QueueLane<B.Output>(), QueueLane<C.Output>())
      let core = ZipCore(row, to: subscriber)
      core.beginJoining()
      core.join(a, row.a)
      core.join(b, row.b)
      core.join(c, row.c)
      core.endJoining()
    }
  }
}

extension Publishers.Zip3: Equatable where A: Equatable, B: Equatable, C: Equatable {}

extension Publishers.Zip3: Sendable where A: Sendable, B: Sendable, C: Sendable {}
