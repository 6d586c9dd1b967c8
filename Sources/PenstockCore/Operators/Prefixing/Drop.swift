// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Skips a number of values, and republishes the rest.
  ///
  /// ![The first two values are left out.](drop-first)
  ///
  /// ```swift
  /// let cancellable = (1...5).publisher.dropFirst(3).sink { print($0) }
  /// // Prints "4", "5" on two lines.
  /// ```
  ///
  /// **Demand:** the values to skip are requested from upstream at once, even if nothing has been requested yet, in
  /// addition to downstream's demand. `request(.none)` traps.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread; values pass without a lock. The subscriber receives its subscription before
  /// upstream is subscribed to. A cancel between the two is remembered; Combine forgets it, and delivers nevertheless.
  ///
  /// **Traps:** a negative count, when upstream's subscription arrives.
  ///
  /// Use ``drop(while:)`` to skip values by a predicate, ``drop(untilOutputFrom:)`` to skip them until another
  /// publisher delivers, and ``prefix(_:)`` to keep the first values.
  ///
  /// - Parameter count: The number of values to skip.
  /// - Returns: A publisher of the values after the skipped ones.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> {
    Publishers.Drop(upstream: self, count: count)
  }
}

extension Publishers {
  /// A publisher that skips a number of upstream values; see ``Publisher/dropFirst(_:)``.
  public struct Drop<Upstream: Publisher>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publisher whose first values are skipped.
    public let upstream: Upstream

    /// The number of values to skip.
    public let count: Int

    /// Creates a publisher that skips a number of upstream values.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, count: Int) {
      self.upstream = upstream
      self.count = count
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Self.Output == S.Input, Failure == S.Failure {
      upstream.subscribe(DropSubscriber(count, to: subscriber), upstreamOf: S.self)
    }
  }
}

extension Publishers.Drop: Equatable where Upstream: Equatable {}

extension Publishers.Drop: Sendable where Upstream: Sendable {}
