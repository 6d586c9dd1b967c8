// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Delivers the last value when the stream has finished.
  ///
  /// ```swift
  /// let cancellable = (1...3).publisher.map { $0 * 10 }.last().sink { print($0) }
  /// // Prints "30"
  /// ```
  ///
  /// **Demand:** upstream is asked for everything at once. The value waits until it has been asked for.
  ///
  /// **Completion:** `.finished` follows the value. An empty stream gives no value; its `.finished`, too, waits for a
  /// request.
  ///
  /// **Failure:** forwarded at once; the value so far is dropped.
  ///
  /// **Concurrency:** the value goes out where upstream finishes, or where it is requested.
  ///
  /// - Returns: A publisher of at most one value.
  @inlinable
  public func last() -> Publishers.Last<Self> {
    Publishers.Last(upstream: self)
  }
}

extension Publishers {
  /// A publisher that delivers the last value of another; see ``Publisher/last()``.
  public struct Last<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose last value is delivered.
    public let upstream: Upstream

    /// Makes a publisher that delivers the last value of another.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
      upstream.subscribe(Collecting(LastStage<_, Failure>(), to: subscriber))
    }
  }
}

/// The stage of `last()`.
@usableFromInline
internal final class LastStage<Input, Failure: Error>: CollectingStage {
  @usableFromInline internal typealias Channel = Passing<Failure>

  @exclusivity(unchecked) @usableFromInline internal var result: Input?

  @inlinable
  internal init() {}

  @inlinable
  internal static var name: String { "Last" }

  @inlinable
  internal func receive(_ input: Input) -> Bool {
    dispose(of: displace(&result, with: input))
    return false
  }
}

extension Publishers.Last: Equatable where Upstream: Equatable {}

extension Publishers.Last: Sendable where Upstream: Sendable {}
