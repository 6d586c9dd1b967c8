// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Counts the values, and delivers their number when the stream has finished.
  ///
  /// ```swift
  /// let cancellable = ["gate", "pipe", "turbine"].publisher.filter { $0.count == 4 }.count().sink { print($0) }
  /// // Prints "2"
  /// ```
  ///
  /// **Demand:** upstream is asked for everything at once. The number waits until it has been asked for.
  ///
  /// **Completion:** `.finished` follows the number. An empty stream gives 0.
  ///
  /// **Failure:** forwarded at once; the number so far is dropped.
  ///
  /// **Concurrency:** the number goes out where upstream finishes, or where it is requested.
  ///
  /// - Returns: A publisher of one number.
  @inlinable
  public func count() -> Publishers.Count<Self> {
    Publishers.Count(upstream: self)
  }
}

extension Publishers {
  /// A publisher that counts the values of another; see ``Publisher/count()``.
  public struct Count<Upstream: Publisher>: Publisher {
    public typealias Output = Int
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are counted.
    public let upstream: Upstream

    /// Makes a publisher that counts the values of another.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, S.Input == Int {
      upstream.subscribe(Collecting(CountStage<Upstream.Output, Failure>(), to: subscriber))
    }
  }
}

/// The stage of `count()`.
@usableFromInline
internal final class CountStage<Input, Failure: Error>: CollectingStage {
  @usableFromInline internal typealias Channel = Passing<Failure>

  @exclusivity(unchecked) @usableFromInline internal var count = 0

  @inlinable
  internal init() {}

  @inlinable
  internal static var name: String { "Count" }

  @inlinable
  internal static var initial: Int? { 0 }

  @inlinable
  internal func receive(_ input: Input) -> Bool {
    count += 1
    return false
  }

  @inlinable
  internal var result: Int? { count }
}

extension Publishers.Count: Equatable where Upstream: Equatable {}

extension Publishers.Count: Sendable where Upstream: Sendable {}
