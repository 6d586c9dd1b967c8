// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Combines each value with the previous result, with a throwing closure, and publishes every intermediate result.
  ///
  /// ![The sums of the numbers so far are published, until the closure throws and the output fails.](try-scan)
  ///
  /// The initial result is not published. Every subscription starts from it again.
  ///
  /// ```swift
  /// struct Overdrawn: Error {}
  /// let cancellable = [5, -2, -9].publisher
  ///   .tryScan(0) { balance, change in
  ///     guard balance + change >= 0 else { throw Overdrawn() }
  ///     return balance + change
  ///   }
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints "5", "3", "failure(Overdrawn())" on three lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded. An error that the closure throws cancels upstream and becomes the failure.
  ///
  /// **Concurrency:** adds no thread and no lock; the closure runs on the thread that delivers the value.
  ///
  /// Use ``scan(_:_:)`` if the closure cannot throw, and ``tryReduce(_:_:)`` if only the final result matters.
  ///
  /// - Parameters:
  ///   - initialResult: The result to start from.
  ///   - nextPartialResult: A closure that combines the previous result with the next value, or throws.
  /// - Returns: A publisher of the intermediate results.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func tryScan<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T
  ) -> Publishers.TryScan<Self, T> {
    Publishers.TryScan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }
}

extension Publishers {
  /// A publisher that combines each upstream value with the previous result, with a throwing closure; see
  /// ``Publisher/tryScan(_:_:)``.
  public struct TryScan<Upstream: Publisher, Output>: Publisher, _DerivedTypes {
    public typealias _Origin = Empty<Never, any Error>

    /// The publisher whose values are combined.
    public let upstream: Upstream

    /// The result to start from.
    public let initialResult: Output

    /// The closure that combines the previous result with the next value.
    public let nextPartialResult: (Output, Upstream.Output) throws -> Output

    /// Creates a publisher that combines each upstream value with the previous result, with a throwing closure.
    @_alwaysEmitIntoClient
    public init(
      upstream: Upstream, initialResult: Output,
      nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
    ) {
      self.upstream = upstream
      self.initialResult = initialResult
      self.nextPartialResult = nextPartialResult
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, S.Failure == any Error {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal func makeStage() -> ScanStage<ThrowingBinary<Output, Upstream.Output, Output, Upstream.Failure>> {
      ScanStage(initialResult, ThrowingBinary(nextPartialResult))
    }
  }
}

extension Publishers.TryScan: ManagedOperator {}

extension ScanStage: ManagedStage {
  /// Values are forwarded in every state of the stream unless the closure has thrown, and a completion does not change
  /// that state, as in Combine.
  @_alwaysEmitIntoClient
  internal static var rules: ManagedRules {
    ManagedRules(earlyValue: .pass, lateValue: .pass, acceptsZeroDemand: true, endsWithCompletion: false)
  }

  @usableFromInline
  internal func mirrorChildren(
    downstream: Any, slot: borrowing SubscriptionSlot
  ) -> [(label: String?, value: Any)] {
    [("downstream", downstream), ("status", slot.phase), ("result", result)]
  }
}
