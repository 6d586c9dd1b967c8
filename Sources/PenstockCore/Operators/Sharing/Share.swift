// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Lets many subscribers share one subscription to this publisher, which starts with the first of them.
  ///
  /// Nothing is repeated: who comes later gets what comes later. When all have cancelled, upstream is cancelled, and the
  /// next subscriber starts it anew.
  ///
  /// ```swift
  /// let subject = PassthroughSubject<Int, Never>()
  /// let shared = subject.map { value in
  ///   print("map", value)
  ///   return value * 10
  /// }.share()
  /// let first = shared.sink { print("first", $0) }
  /// let second = shared.sink { print("second", $0) }
  /// subject.send(1)
  /// // Prints "map 1", "first 10", "second 10" on three lines.
  /// ```
  ///
  /// **Demand:** upstream is asked for everything once any subscriber has asked for anything. A value that a subscriber has
  /// not asked for is dropped for that subscriber.
  ///
  /// **Completion:** reaches all subscribers. Later ones get it at once, and upstream is not started again.
  ///
  /// **Failure:** the same.
  ///
  /// **Concurrency:** any thread may subscribe and cancel. Values are delivered one at a time, in one order. However many
  /// threads come at once, upstream is subscribed to once. An upstream that delivers while it is being subscribed to
  /// gives everything to the first subscriber.
  ///
  /// - Returns: A publisher that is equal only to itself.
  @inlinable
  public func share() -> Publishers.Share<Self> {
    Publishers.Share(upstream: self)
  }
}

extension Publishers {
  /// A publisher that shares one subscription to another among many subscribers; see ``Publisher/share()``.
  public final class Share<Upstream: Publisher>: Publisher, Equatable {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are shared.
    public let upstream: Upstream

    @usableFromInline
    internal let shared: Autoconnect<Multicast<Upstream, PassthroughSubject<Upstream.Output, Upstream.Failure>>>

    /// Makes a publisher that shares one subscription to another among many subscribers.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
      shared = Multicast(upstream: upstream, createSubject: PassthroughSubject.init).autoconnect()
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
      shared.receive(subscriber: subscriber)
    }

    /// Whether two references are to the same object.
    @inlinable
    public static func == (lhs: Share, rhs: Share) -> Bool {
      lhs === rhs
    }
  }
}
