// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Folds all values into one with a closure that may throw.
  ///
  /// ```swift
  /// struct DivisionByZero: Error {}
  /// let cancellable = [2, 5].publisher
  ///   .tryReduce(100) { dividend, divisor in
  ///     if divisor == 0 { throw DivisionByZero() }
  ///     return dividend / divisor
  ///   }
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints "10", "finished" on two lines.
  /// ```
  ///
  /// **Demand:** upstream is asked for everything at once. The result waits until it has been asked for.
  ///
  /// **Completion:** `.finished` follows the result. An empty stream gives the initial result.
  ///
  /// **Failure:** forwarded at once; the result so far is dropped. An error thrown by the closure cancels upstream and
  /// becomes the failure.
  ///
  /// **Concurrency:** the closure runs where upstream delivers, the result goes out there or where it is requested.
  ///
  /// - Parameters:
  ///   - initialResult: What to start from.
  ///   - nextPartialResult: Combines the result so far with the next value, or throws.
  /// - Returns: A publisher of one value.
  @inlinable
  public func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T
  ) -> Publishers.TryReduce<Self, T> {
    Publishers.TryReduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
  }
}

extension Publishers {
  /// A publisher that folds all values of another into one with a closure that may throw; see
  /// ``Publisher/tryReduce(_:_:)``.
  public struct TryReduce<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = any Error

    /// The publisher whose values are folded.
    public let upstream: Upstream

    /// What the folding starts from.
    public let initial: Output

    /// The closure that combines the result so far with the next value.
    public let nextPartialResult: (Output, Upstream.Output) throws -> Output

    /// Makes a publisher that folds all values of another into one with a closure that may throw.
    @inlinable
    public init(
      upstream: Upstream, initial: Output, nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
    ) {
      self.upstream = upstream
      self.initial = initial
      self.nextPartialResult = nextPartialResult
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, S.Failure == any Error {
      upstream.subscribe(
        Collecting(ReduceStage(initial, ThrowingBinary<_, _, _, Upstream.Failure>(nextPartialResult)), to: subscriber))
    }
  }
}
