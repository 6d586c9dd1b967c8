// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Collects all values into one array, which is delivered when the stream has finished.
  ///
  /// ```swift
  /// let cancellable = (1...3).publisher.map { $0 * 10 }.collect().sink { print($0) }
  /// // Prints "[10, 20, 30]"
  /// ```
  ///
  /// **Demand:** upstream is asked for everything at once, so an endless one fills the memory. The array waits until it
  /// has been asked for.
  ///
  /// **Completion:** `.finished` follows the array. An empty stream gives an empty array.
  ///
  /// **Failure:** forwarded at once; the values so far are dropped.
  ///
  /// **Concurrency:** the array goes out where upstream finishes, or where it is requested.
  ///
  /// - Returns: A publisher of one array.
  @inlinable
  public func collect() -> Publishers.Collect<Self> {
    Publishers.Collect(upstream: self)
  }
}

extension Publishers {
  /// A publisher that collects all values of another into one array; see ``Publisher/collect()``.
  public struct Collect<Upstream: Publisher>: Publisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are collected.
    public let upstream: Upstream

    /// Makes a publisher that collects all values of another into one array.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
      upstream.subscribe(Collecting(CollectStage<_, Failure>(), to: subscriber))
    }
  }
}

/// The stage of `collect()`.
@usableFromInline
internal final class CollectStage<Input, Failure: Error>: CollectingStage {
  @usableFromInline internal typealias Channel = Passing<Failure>

  @exclusivity(unchecked) @usableFromInline internal var values: [Input] = []

  @inlinable
  internal init() {}

  @inlinable
  internal static var name: String { "Collect" }

  @inlinable
  internal func receive(_ input: Input) -> Bool {
    values.append(input)
    return false
  }

  @inlinable
  internal var result: [Input]? { values }

  @usableFromInline
  internal func mirrorChildren(downstream: Any, status: Any) -> [(label: String?, value: Any)] {
    [("count", values.count)]
  }
}

extension Publishers.Collect: Equatable where Upstream: Equatable {}

extension Publishers.Collect: Sendable where Upstream: Sendable {}
