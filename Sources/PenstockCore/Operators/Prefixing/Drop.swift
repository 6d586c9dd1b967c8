// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Leaves out the first values.
  ///
  /// ```swift
  /// let cancellable = (1...5).publisher.dropFirst(3).sink { print($0) }
  /// // Prints "4", "5" on two lines.
  /// ```
  ///
  /// **Demand:** upstream is asked for the values to leave out at once, even if nothing has been requested yet, and for
  /// what is requested besides. `request(.none)` traps.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread; values pass without a lock. The subscriber gets its subscription before upstream
  /// is subscribed to. A cancel between the two is remembered; Combine forgets it, and delivers all the same.
  ///
  /// **Traps:** a negative count, when upstream's subscription arrives.
  ///
  /// - Parameter count: How many values to leave out.
  /// - Returns: A publisher of the values after those.
  @inlinable
  public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> {
    Publishers.Drop(upstream: self, count: count)
  }
}

extension Publishers {
  /// A publisher that leaves out the first values of another; see ``Publisher/dropFirst(_:)``.
  public struct Drop<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose first values are left out.
    public let upstream: Upstream

    /// How many values are left out.
    public let count: Int

    /// Makes a publisher that leaves out the first values of another.
    @inlinable
    public init(upstream: Upstream, count: Int) {
      self.upstream = upstream
      self.count = count
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
      upstream.subscribe(Dropping(count, to: subscriber))
    }
  }
}

extension Publishers.Drop: Equatable where Upstream: Equatable {}

extension Publishers.Drop: Sendable where Upstream: Sendable {}
