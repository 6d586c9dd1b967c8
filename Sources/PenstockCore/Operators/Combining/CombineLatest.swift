// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Pairs each new value of this publisher and of another with the latest of the other one.
  ///
  /// Nothing is delivered until all of them have had a value.
  ///
  /// ```swift
  /// let cancellable = Just("a")
  ///   .combineLatest([1, 2].publisher)
  ///   .sink { print($0) }
  /// // Prints ("a", 1), ("a", 2) on two lines.
  /// ```
  ///
  /// **Demand:** passed to both upstreams unchanged, and counted. A value that comes when nothing is asked for, or from
  /// inside of a delivery, only takes the place of the one before it; it is part of the next tuple. What downstream
  /// asks for in return goes to all upstreams. `request(.none)` traps.
  ///
  /// **Completion:** when all upstreams have finished. The last value of one that has finished stays in use.
  ///
  /// **Failure:** the first one ends the stream: the other upstreams are cancelled.
  ///
  /// **Concurrency:** upstreams may deliver on different threads; deliveries to downstream never overlap. A value that
  /// comes while another thread is delivering is queued, and that thread delivers its tuple.
  ///
  /// - Parameter other: The other publisher.
  /// - Returns: A publisher of tuples.
  @inlinable
  public func combineLatest<P: Publisher>(_ other: P) -> Publishers.CombineLatest<Self, P>
  where Failure == P.Failure {
    Publishers.CombineLatest(self, other)
  }

  /// Combines each new value of this publisher and of another with the latest of the other one, by a closure.
  ///
  /// Nothing is delivered until all of them have had a value.
  ///
  /// ```swift
  /// let cancellable = Just("a")
  ///   .combineLatest([1, 2].publisher) { "\($0) \($1)" }
  ///   .sink { print($0) }
  /// // Prints "a 1", "a 2" on two lines.
  /// ```
  ///
  /// **Demand:** passed to both upstreams unchanged, and counted. A value that comes when nothing is asked for, or from
  /// inside of a delivery, only takes the place of the one before it; it is part of the next tuple. What downstream
  /// asks for in return goes to all upstreams. `request(.none)` traps.
  ///
  /// **Completion:** when all upstreams have finished. The last value of one that has finished stays in use.
  ///
  /// **Failure:** the first one ends the stream: the other upstreams are cancelled.
  ///
  /// **Concurrency:** upstreams may deliver on different threads; deliveries to downstream never overlap. A value that
  /// comes while another thread is delivering is queued, and that thread delivers its tuple.
  ///
  /// - Parameters:
  ///   - other: The other publisher.
  ///   - transform: Makes one value of the two.
  /// - Returns: A publisher of what the closure returns.
  @inlinable
  public func combineLatest<P: Publisher, T>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest<Self, P>, T>
  where Failure == P.Failure {
    combineLatest(other).map { transform($0.0, $0.1) }
  }
}

extension Publishers {
  /// A publisher that combines the latest values of two others; see ``Publisher``'s `combineLatest`.
  public struct CombineLatest<A: Publisher, B: Publisher>: Publisher
  where A.Failure == B.Failure {
    public typealias Output = (A.Output, B.Output)
    public typealias Failure = A.Failure

    /// The first publisher.
    public let a: A

    /// The second publisher.
    public let b: B

    /// Makes a publisher that combines the latest values of two others.
    @inlinable
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, S.Input == (A.Output, B.Output) {
      let row = Row2(LatestLane<A.Output>(), LatestLane<B.Output>())
      let core = CombineLatestCore(row, to: subscriber)
      core.beginJoining()
      core.join(a, row.a)
      core.join(b, row.b)
      core.start()
    }
  }
}

extension Publishers.CombineLatest: Equatable where A: Equatable, B: Equatable {}

extension Publishers.CombineLatest: Sendable where A: Sendable, B: Sendable {}
