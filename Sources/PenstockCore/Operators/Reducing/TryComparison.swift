// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Delivers the value that a closure, which may throw, puts first when the stream has finished; of equal ones the first.
  ///
  /// ```swift
  /// struct NotComparable: Error {}
  /// let cancellable = [2.5, .nan].publisher
  ///   .tryMin { a, b in
  ///     if a.isNaN || b.isNaN { throw NotComparable() }
  ///     return a < b
  ///   }
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints "failure(NotComparable())"
  /// ```
  ///
  /// **Demand:** upstream is asked for everything at once. The result waits until it has been asked for.
  ///
  /// **Completion:** `.finished` follows the result. An empty stream gives no value; its `.finished`, too, waits for a
  /// request.
  ///
  /// **Failure:** forwarded at once; the result so far is dropped. An error thrown by the closure cancels upstream and
  /// becomes the failure.
  ///
  /// **Concurrency:** the closure runs where upstream delivers, the result goes out there or where it is requested.
  ///
  /// - Parameter areInIncreasingOrder: Whether its first argument comes before its second; may throw.
  /// - Returns: A publisher of at most one value.
  @inlinable
  public func tryMin(
    by areInIncreasingOrder: @escaping (Output, Output) throws -> Bool
  ) -> Publishers.TryComparison<Self> {
    Publishers.TryComparison(upstream: self) { try areInIncreasingOrder($1, $0) }
  }

  /// Delivers the value that a closure, which may throw, puts last when the stream has finished; of equal ones the first.
  ///
  /// ```swift
  /// struct NotComparable: Error {}
  /// let cancellable = [2.5, 3.5].publisher
  ///   .tryMax { a, b in
  ///     if a.isNaN || b.isNaN { throw NotComparable() }
  ///     return a < b
  ///   }
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints "3.5", "finished" on two lines.
  /// ```
  ///
  /// **Demand:** upstream is asked for everything at once. The result waits until it has been asked for.
  ///
  /// **Completion:** `.finished` follows the result. An empty stream gives no value; its `.finished`, too, waits for a
  /// request.
  ///
  /// **Failure:** forwarded at once; the result so far is dropped. An error thrown by the closure cancels upstream and
  /// becomes the failure.
  ///
  /// **Concurrency:** the closure runs where upstream delivers, the result goes out there or where it is requested.
  ///
  /// - Parameter areInIncreasingOrder: Whether its first argument comes before its second; may throw.
  /// - Returns: A publisher of at most one value.
  @inlinable
  public func tryMax(
    by areInIncreasingOrder: @escaping (Output, Output) throws -> Bool
  ) -> Publishers.TryComparison<Self> {
    Publishers.TryComparison(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
  }
}

extension Publishers {
  /// A publisher that delivers the largest of another's values by a closure that may throw; see
  /// ``Publisher/tryMax(by:)``.
  public struct TryComparison<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    /// The publisher whose values are compared.
    public let upstream: Upstream

    /// The closure that says whether a value comes before another.
    public let areInIncreasingOrder: (Upstream.Output, Upstream.Output) throws -> Bool

    /// Makes a publisher that delivers the largest of another's values by a closure that may throw.
    @inlinable
    public init(
      upstream: Upstream, areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) throws -> Bool
    ) {
      self.upstream = upstream
      self.areInIncreasingOrder = areInIncreasingOrder
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, S.Failure == any Error {
      upstream.subscribe(
        Collecting(ComparisonStage(ThrowingBinary<_, _, _, Upstream.Failure>(areInIncreasingOrder)), to: subscriber))
    }
  }
}
