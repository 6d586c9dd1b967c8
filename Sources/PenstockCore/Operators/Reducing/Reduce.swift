// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Combines all values into one result, and publishes it when the upstream publisher finishes.
  ///
  /// ![The sum of all numbers is published when upstream finishes.](reduce)
  ///
  /// ```swift
  /// let cancellable = (1...4).publisher.reduce(0, +).sink { print($0) }
  /// // Prints "10"
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream at once. The result waits until it is requested.
  ///
  /// **Completion:** `.finished` follows the result. A publisher that finishes without values gives the initial result.
  ///
  /// **Failure:** forwarded at once; the result so far is dropped.
  ///
  /// **Concurrency:** the closure runs on the thread that delivers the value. The result is delivered on the thread
  /// that finishes upstream, or on the one that requests it.
  ///
  /// Use ``scan(_:_:)`` to publish every intermediate result, ``collect()`` for an array of all values, and
  /// ``tryReduce(_:_:)`` if the closure can throw.
  ///
  /// - Parameters:
  ///   - initialResult: The result to start from.
  ///   - nextPartialResult: A closure that combines the previous result with the next value.
  /// - Returns: A publisher of one value.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func reduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
  ) -> Publishers.Reduce<Self, T> {
    Publishers.Reduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
  }
}

extension Publishers {
  /// A publisher that combines all upstream values into one result; see ``Publisher/reduce(_:_:)``.
  public struct Reduce<Upstream: Publisher, Output>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publisher whose values are combined.
    public let upstream: Upstream

    /// The result to start from.
    public let initial: Output

    /// The closure that combines the previous result with the next value.
    public let nextPartialResult: (Output, Upstream.Output) -> Output

    /// Creates a publisher that combines all upstream values into one result.
    @_alwaysEmitIntoClient
    public init(
      upstream: Upstream, initial: Output, nextPartialResult: @escaping (Output, Upstream.Output) -> Output
    ) {
      self.upstream = upstream
      self.initial = initial
      self.nextPartialResult = nextPartialResult
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Upstream.Failure == S.Failure {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal func makeStage() -> ReduceStage<PassingBinary<Output, Upstream.Output, Output, Failure>> {
      ReduceStage(initial, PassingBinary(nextPartialResult))
    }
  }
}

extension Publishers.Reduce: QueuedOperator {}

/// The stage of `reduce` and `tryReduce`.
@usableFromInline
internal final class ReduceStage<Fold: BinaryClosure>: ReducingStage where Fold.First == Fold.Output {
  @usableFromInline internal typealias Input = Fold.Second
  @usableFromInline internal typealias Output = Fold.Output
  @usableFromInline internal typealias Channel = Fold.Channel

  @usableFromInline internal let nextPartialResult: Fold
  @usableFromInline internal let initial: Output
  @exclusivity(unchecked) @usableFromInline internal var accumulated: Output

  @inlinable
  internal init(_ initial: Output, _ nextPartialResult: Fold) {
    self.initial = initial
    accumulated = initial
    self.nextPartialResult = nextPartialResult
  }

  @_alwaysEmitIntoClient
  internal static var name: String { Channel.namePrefix + "Reduce" }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) throws(Channel.Thrown) -> Verdict<Output, Channel.Downstream> {
    let next = try nextPartialResult(accumulated, input)
    dispose(of: displace(&accumulated, with: next))
    return .absorb
  }

  @_alwaysEmitIntoClient
  internal var result: Output? { accumulated }

  @usableFromInline
  internal func mirrorChildren(
    downstream: Any, slot: borrowing SubscriptionSlot
  ) -> [(label: String?, value: Any)] {
    [("downstream", downstream), ("result", accumulated), ("initial", initial), ("status", slot.phase)]
  }
}
