// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Folds the values into one by a closure that may throw, and delivers what it is so far after each of them.
  ///
  /// The initial result is not delivered. Every subscriber starts from it anew.
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
  /// **Failure:** forwarded. An error thrown by the closure cancels upstream and becomes the failure.
  ///
  /// **Concurrency:** adds no thread and no lock; the closure runs where upstream delivers.
  ///
  /// - Parameters:
  ///   - initialResult: What to start from.
  ///   - nextPartialResult: Combines the result so far with the next value, or throws.
  /// - Returns: A publisher of the results so far.
  @inlinable
  public func tryScan<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T
  ) -> Publishers.TryScan<Self, T> {
    Publishers.TryScan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }
}

extension Publishers {
  /// A publisher of what the values of another fold into, so far, by a closure that may throw; see
  /// ``Publisher/tryScan(_:_:)``.
  public struct TryScan<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = any Error

    /// The publisher whose values are folded.
    public let upstream: Upstream

    /// What the folding starts from.
    public let initialResult: Output

    /// The closure that combines the result so far with the next value.
    public let nextPartialResult: (Output, Upstream.Output) throws -> Output

    /// Makes a publisher of what the values of another fold into, so far, by a closure that may throw.
    @inlinable
    public init(
      upstream: Upstream, initialResult: Output,
      nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
    ) {
      self.upstream = upstream
      self.initialResult = initialResult
      self.nextPartialResult = nextPartialResult
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, S.Failure == any Error {
      upstream.subscribe(
        Managed(ScanStage(initialResult, ThrowingBinary<_, _, _, Upstream.Failure>(nextPartialResult)), to: subscriber))
    }
  }
}

extension ScanStage: ManagedStage {
  /// Values are forwarded in every state of the stream unless the closure has thrown, and a completion does not change
  /// that state, as in Combine.
  @inlinable
  internal static var rules: ManagedRules {
    ManagedRules(earlyValue: .pass, lateValue: .pass, acceptsNothing: true, endsWithCompletion: false)
  }

  @usableFromInline
  internal func mirrorChildren(
    downstream: Any, slot: borrowing SubscriptionSlot
  ) -> [(label: String?, value: Any)] {
    [("downstream", downstream), ("status", slot.phase), ("result", result)]
  }
}
