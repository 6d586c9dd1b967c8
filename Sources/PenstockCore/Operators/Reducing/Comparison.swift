// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher where Output: Comparable {
  /// Delivers the smallest value when the stream has finished; of equal ones the first.
  ///
  /// ```swift
  /// let cancellable = [3, 1, 2].publisher.map { $0 * 10 }.min().sink { print($0) }
  /// // Prints "10"
  /// ```
  ///
  /// **Demand:** upstream is asked for everything at once. The result waits until it has been asked for.
  ///
  /// **Completion:** `.finished` follows the result. An empty stream gives no value; its `.finished`, too, waits for a
  /// request.
  ///
  /// **Failure:** forwarded at once; the result so far is dropped.
  ///
  /// **Concurrency:** the result goes out where upstream finishes, or where it is requested.
  ///
  /// - Returns: A publisher of at most one value.
  @inlinable
  public func min() -> Publishers.Comparison<Self> {
    min(by: <)
  }

  /// Delivers the largest value when the stream has finished; of equal ones the first.
  ///
  /// ```swift
  /// let cancellable = [1, 3, 2].publisher.map { $0 * 10 }.max().sink { print($0) }
  /// // Prints "30"
  /// ```
  ///
  /// **Demand:** upstream is asked for everything at once. The result waits until it has been asked for.
  ///
  /// **Completion:** `.finished` follows the result. An empty stream gives no value; its `.finished`, too, waits for a
  /// request.
  ///
  /// **Failure:** forwarded at once; the result so far is dropped.
  ///
  /// **Concurrency:** the result goes out where upstream finishes, or where it is requested.
  ///
  /// - Returns: A publisher of at most one value.
  @inlinable
  public func max() -> Publishers.Comparison<Self> {
    max(by: <)
  }
}

extension Publisher {
  /// Delivers the value that a closure puts first when the stream has finished; of equal ones the first.
  ///
  /// ```swift
  /// let cancellable = ["turbine", "pipe", "gate"].publisher.map { $0 }.min { $0.count < $1.count }.sink { print($0) }
  /// // Prints "pipe"
  /// ```
  ///
  /// **Demand:** upstream is asked for everything at once. The result waits until it has been asked for.
  ///
  /// **Completion:** `.finished` follows the result. An empty stream gives no value; its `.finished`, too, waits for a
  /// request.
  ///
  /// **Failure:** forwarded at once; the result so far is dropped.
  ///
  /// **Concurrency:** the closure runs where upstream delivers, the result goes out there or where it is requested.
  ///
  /// - Parameter areInIncreasingOrder: Whether its first argument comes before its second.
  /// - Returns: A publisher of at most one value.
  @inlinable
  public func min(by areInIncreasingOrder: @escaping (Output, Output) -> Bool) -> Publishers.Comparison<Self> {
    Publishers.Comparison(upstream: self) { areInIncreasingOrder($1, $0) }
  }

  /// Delivers the value that a closure puts last when the stream has finished; of equal ones the first.
  ///
  /// ```swift
  /// let cancellable = ["pipe", "turbine", "gate"].publisher.map { $0 }.max { $0.count < $1.count }.sink { print($0) }
  /// // Prints "turbine"
  /// ```
  ///
  /// **Demand:** upstream is asked for everything at once. The result waits until it has been asked for.
  ///
  /// **Completion:** `.finished` follows the result. An empty stream gives no value; its `.finished`, too, waits for a
  /// request.
  ///
  /// **Failure:** forwarded at once; the result so far is dropped.
  ///
  /// **Concurrency:** the closure runs where upstream delivers, the result goes out there or where it is requested.
  ///
  /// - Parameter areInIncreasingOrder: Whether its first argument comes before its second.
  /// - Returns: A publisher of at most one value.
  @inlinable
  public func max(by areInIncreasingOrder: @escaping (Output, Output) -> Bool) -> Publishers.Comparison<Self> {
    Publishers.Comparison(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
  }
}

extension Publishers {
  /// A publisher that delivers the largest of another's values; see ``Publisher/max(by:)``.
  ///
  /// `min` is the same with the arguments of the closure exchanged.
  public struct Comparison<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are compared.
    public let upstream: Upstream

    /// The closure that says whether a value comes before another.
    public let areInIncreasingOrder: (Upstream.Output, Upstream.Output) -> Bool

    /// Makes a publisher that delivers the largest of another's values.
    @inlinable
    public init(
      upstream: Upstream, areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) -> Bool
    ) {
      self.upstream = upstream
      self.areInIncreasingOrder = areInIncreasingOrder
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
      upstream.subscribe(
        Collecting(ComparisonStage(PassingBinary<_, _, _, Failure>(areInIncreasingOrder)), to: subscriber))
    }
  }
}

/// The stage of `min`, `max` and their throwing twins.
@usableFromInline
internal final class ComparisonStage<Order: Binary>: CollectingStage
where Order.First == Order.Second, Order.Output == Bool {
  @usableFromInline internal typealias Input = Order.First
  @usableFromInline internal typealias Channel = Order.Channel

  @usableFromInline internal let areInIncreasingOrder: Order
  @exclusivity(unchecked) @usableFromInline internal var result: Input?

  @inlinable
  internal init(_ areInIncreasingOrder: Order) {
    self.areInIncreasingOrder = areInIncreasingOrder
  }

  @inlinable
  internal static var name: String { Channel.namePrefix + "Comparison" }

  @inlinable
  internal func receive(_ input: Input) throws(Channel.Thrown) -> Bool {
    guard let largest = result else {
      dispose(of: displace(&result, with: input))
      return false
    }
    if try areInIncreasingOrder(largest, input) { dispose(of: displace(&result, with: input)) }
    return false
  }
}
