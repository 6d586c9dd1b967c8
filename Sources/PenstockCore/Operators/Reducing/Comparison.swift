// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher where Output: Comparable {
  /// Publishes the smallest value when the upstream publisher finishes; of equal values, the first.
  ///
  /// ![The smallest number is published when upstream finishes.](min)
  ///
  /// ```swift
  /// let cancellable = [3, 1, 2].publisher.map { $0 * 10 }.min().sink { print($0) }
  /// // Prints "10"
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream at once. The result waits until it is requested.
  ///
  /// **Completion:** `.finished` follows the result. A publisher that finishes without values gives no result; its
  /// `.finished` also waits for a request.
  ///
  /// **Failure:** forwarded at once; the result so far is dropped.
  ///
  /// **Concurrency:** the result is delivered on the thread that finishes upstream, or on the one that requests it.
  ///
  /// Use ``min(by:)`` for values that are not `Comparable`, and ``max()`` for the largest value.
  ///
  /// - Returns: A publisher of at most one value.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func min() -> Publishers.Comparison<Self> {
    min(by: <)
  }

  /// Publishes the largest value when the upstream publisher finishes; of equal values, the first.
  ///
  /// ![The largest number is published when upstream finishes.](max)
  ///
  /// ```swift
  /// let cancellable = [1, 3, 2].publisher.map { $0 * 10 }.max().sink { print($0) }
  /// // Prints "30"
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream at once. The result waits until it is requested.
  ///
  /// **Completion:** `.finished` follows the result. A publisher that finishes without values gives no result; its
  /// `.finished` also waits for a request.
  ///
  /// **Failure:** forwarded at once; the result so far is dropped.
  ///
  /// **Concurrency:** the result is delivered on the thread that finishes upstream, or on the one that requests it.
  ///
  /// Use ``max(by:)`` for values that are not `Comparable`, and ``min()`` for the smallest value.
  ///
  /// - Returns: A publisher of at most one value.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func max() -> Publishers.Comparison<Self> {
    max(by: <)
  }
}

extension Publisher {
  /// Publishes the smallest value, in the order that a closure defines, when the upstream publisher finishes; of equal
  /// values, the first.
  ///
  /// ![The shortest word is published when upstream finishes.](min-by)
  ///
  /// ```swift
  /// let cancellable = ["turbine", "pipe", "gate"].publisher.map { $0 }.min { $0.count < $1.count }.sink { print($0) }
  /// // Prints "pipe"
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream at once. The result waits until it is requested.
  ///
  /// **Completion:** `.finished` follows the result. A publisher that finishes without values gives no result; its
  /// `.finished` also waits for a request.
  ///
  /// **Failure:** forwarded at once; the result so far is dropped.
  ///
  /// **Concurrency:** the closure runs on the thread that delivers the value. The result is delivered on the thread
  /// that finishes upstream, or on the one that requests it.
  ///
  /// Use ``min()`` to compare with `<`, ``max(by:)`` for the largest value, and ``tryMin(by:)`` if the closure can
  /// throw.
  ///
  /// - Parameter areInIncreasingOrder: A closure that returns whether its first argument is ordered before its second.
  /// - Returns: A publisher of at most one value.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func min(by areInIncreasingOrder: @escaping (Output, Output) -> Bool)
    -> Publishers.Comparison<Self>
  {
    Publishers.Comparison(upstream: self) { areInIncreasingOrder($1, $0) }
  }

  /// Publishes the largest value, in the order that a closure defines, when the upstream publisher finishes; of equal
  /// values, the first.
  ///
  /// ![The longest word is published when upstream finishes.](max-by)
  ///
  /// ```swift
  /// let cancellable = ["pipe", "turbine", "gate"].publisher.map { $0 }.max { $0.count < $1.count }.sink { print($0) }
  /// // Prints "turbine"
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream at once. The result waits until it is requested.
  ///
  /// **Completion:** `.finished` follows the result. A publisher that finishes without values gives no result; its
  /// `.finished` also waits for a request.
  ///
  /// **Failure:** forwarded at once; the result so far is dropped.
  ///
  /// **Concurrency:** the closure runs on the thread that delivers the value. The result is delivered on the thread
  /// that finishes upstream, or on the one that requests it.
  ///
  /// Use ``max()`` to compare with `<`, ``min(by:)`` for the smallest value, and ``tryMax(by:)`` if the closure can
  /// throw.
  ///
  /// - Parameter areInIncreasingOrder: A closure that returns whether its first argument is ordered before its second.
  /// - Returns: A publisher of at most one value.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func max(by areInIncreasingOrder: @escaping (Output, Output) -> Bool)
    -> Publishers.Comparison<Self>
  {
    Publishers.Comparison(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
  }
}

extension Publishers {
  /// A publisher of the largest upstream value; see ``Publisher/max(by:)``.
  ///
  /// `min` uses it with the arguments of the closure exchanged.
  public struct Comparison<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publisher whose values are compared.
    public let upstream: Upstream

    /// The closure that returns whether its first argument is ordered before its second.
    public let areInIncreasingOrder: (Upstream.Output, Upstream.Output) -> Bool

    /// Creates a publisher of the largest upstream value.
    @_alwaysEmitIntoClient
    public init(
      upstream: Upstream, areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) -> Bool
    ) {
      self.upstream = upstream
      self.areInIncreasingOrder = areInIncreasingOrder
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Self.Output == S.Input {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient @inline(__always)
    internal func makeStage() -> ComparisonStage<PassingComparison<Upstream.Output, Failure>> {
      ComparisonStage(PassingComparison(areInIncreasingOrder))
    }
  }
}

extension Publishers.Comparison: QueuedOperator {}

/// The stage of `min`, `max` and their throwing twins.
@usableFromInline
internal final class ComparisonStage<Order: BinaryClosure>: ReducingStage
where Order.First == Order.Second, Order.Output == Bool {
  @usableFromInline internal typealias Input = Order.First
  @usableFromInline internal typealias Channel = Order.Channel

  @usableFromInline internal let areInIncreasingOrder: Order
  @exclusivity(unchecked) @usableFromInline internal var result: Input?

  @_alwaysEmitIntoClient
  internal init(_ areInIncreasingOrder: Order) {
    self.areInIncreasingOrder = areInIncreasingOrder
  }

  @_alwaysEmitIntoClient
  internal static var name: String { Channel.namePrefix + "Comparison" }

  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) throws(Channel.Thrown) -> Verdict<Input, Channel.Downstream> {
    guard let largest = result else {
      dispose(of: displace(&result, with: input))
      return .absorb
    }
    if try areInIncreasingOrder(largest, input) { dispose(of: displace(&result, with: input)) }
    return .absorb
  }
}
