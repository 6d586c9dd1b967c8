// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Delivers the first value, and finishes.
  ///
  /// ```swift
  /// let cancellable = (1...3).publisher.map { $0 * 10 }.first().sink { print($0) }
  /// // Prints "10"
  /// ```
  ///
  /// **Demand:** upstream is asked for everything at once, and cancelled when the value has come. The value waits until
  /// it has been asked for.
  ///
  /// **Completion:** `.finished` follows the value. An empty stream gives no value; its `.finished`, too, waits for a
  /// request.
  ///
  /// **Failure:** forwarded at once.
  ///
  /// **Concurrency:** the value goes out where upstream delivers, or where it is requested.
  ///
  /// - Returns: A publisher of at most one value.
  @inlinable
  public func first() -> Publishers.First<Self> {
    Publishers.First(upstream: self)
  }
}

extension Publishers {
  /// A publisher that delivers the first value of another; see ``Publisher/first()``.
  public struct First<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose first value is delivered.
    public let upstream: Upstream

    /// Makes a publisher that delivers the first value of another.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
      upstream.subscribe(Collecting(FirstStage<_, Failure>(), to: subscriber))
    }
  }
}

/// The stage of `first()`.
@usableFromInline
internal final class FirstStage<Input, Failure: Error>: CollectingStage {
  @usableFromInline internal typealias Channel = Passing<Failure>

  @exclusivity(unchecked) @usableFromInline internal var result: Input?

  @inlinable
  internal init() {}

  @inlinable
  internal static var name: String { "First" }

  @inlinable
  internal func receive(_ input: Input) -> Bool {
    dispose(of: displace(&result, with: input))
    return true
  }
}

extension Publishers.First: Equatable where Upstream: Equatable {}

extension Publishers.First: Sendable where Upstream: Sendable {}
