// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Combines all values into one result with a throwing closure, and publishes it when the upstream publisher
  /// finishes.
  ///
  /// ![The closure throws before upstream finishes: upstream is cancelled, and the output fails.](try-reduce)
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
  /// **Demand:** unlimited values are requested from upstream at once. The result waits until it is requested.
  ///
  /// **Completion:** `.finished` follows the result. A publisher that finishes without values gives the initial result.
  ///
  /// **Failure:** forwarded at once; the result so far is dropped. An error that the closure throws cancels upstream
  /// and becomes the failure.
  ///
  /// **Concurrency:** the closure runs on the thread that delivers the value. The result is delivered on the thread
  /// that finishes upstream, or on the one that requests it.
  ///
  /// Use ``reduce(_:_:)`` if the closure cannot throw: it keeps the failure type. ``tryScan(_:_:)`` publishes every
  /// intermediate result.
  ///
  /// - Parameters:
  ///   - initialResult: The result to start from.
  ///   - nextPartialResult: A closure that combines the previous result with the next value, or throws.
  /// - Returns: A publisher of one value.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T
  ) -> Publishers.TryReduce<Self, T> {
    Publishers.TryReduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
  }
}

extension Publishers {
  /// A publisher that combines all upstream values into one result with a throwing closure; see
  /// ``Publisher/tryReduce(_:_:)``.
  public struct TryReduce<Upstream: Publisher, Output>: Publisher, _DerivedTypes {
    public typealias _Origin = Empty<Never, any Error>

    /// The publisher whose values are combined.
    public let upstream: Upstream

    /// The result to start from.
    public let initial: Output

    /// The closure that combines the previous result with the next value.
    public let nextPartialResult: (Output, Upstream.Output) throws -> Output

    /// Creates a publisher that combines all upstream values into one result with a throwing closure.
    @_alwaysEmitIntoClient
    public init(
      upstream: Upstream, initial: Output, nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
    ) {
      self.upstream = upstream
      self.initial = initial
      self.nextPartialResult = nextPartialResult
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, S.Failure == any Error {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal func makeStage() -> ReduceStage<ThrowingBinary<Output, Upstream.Output, Output, Upstream.Failure>> {
      ReduceStage(initial, ThrowingBinary(nextPartialResult))
    }
  }
}

extension Publishers.TryReduce: QueuedOperator {}
