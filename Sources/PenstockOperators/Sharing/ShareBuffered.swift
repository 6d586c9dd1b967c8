// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Shares one subscription to this publisher among several subscribers, and keeps values for those that are slow.
  ///
  /// ![The second subscriber asks for one value, and later for all. With a bound of one, upstream
  /// waits for it.](share-buffering)
  ///
  /// The first subscriber starts the upstream subscription, and later subscribers receive only later values. When all
  /// of them have cancelled, upstream is cancelled, and the next subscriber starts it again. A value for which a
  /// subscriber has no demand waits for that subscriber; the policy decides how many values may wait, and whether
  /// upstream then waits or values are dropped. All subscribers read from one log, in which each waiting value is
  /// stored once.
  ///
  /// ```swift
  /// let numbers = PassthroughSubject<Int, Never>()
  /// let shared = numbers
  ///   .handleEvents(receiveRequest: { print("asked for", $0) })
  ///   .share(buffering: .bounded(2))
  /// let fast = shared.sink { print("fast", $0) }
  /// let slow = shared.pausableSink(receiveCompletion: { _ in }) { value in
  ///   print("slow", value)
  ///   return false
  /// }
  /// for value in 1...3 { numbers.send(value) }
  /// slow.resume()
  /// // Prints "asked for max(2)", "fast 1", "slow 1", "asked for max(1)", "fast 2", "fast 3", "slow 2",
  /// // "asked for max(1)" on eight lines.
  /// ```
  ///
  /// **Demand:** nothing is requested from upstream before a subscriber has requested something. Then, with
  /// `.bounded(n)`, upstream is asked for up to `n` values more than the slowest subscriber has taken: a subscriber that
  /// requests nothing stops all others, `n` values later. With every other policy unlimited values are requested, once,
  /// and no subscriber waits for another. `request(.none)` traps.
  ///
  /// **Completion:** delivered to each subscriber after the values that wait for it. Later subscribers receive it at
  /// once, and upstream is not subscribed to again.
  ///
  /// **Failure:** as for a completion.
  ///
  /// **Concurrency:** any thread may subscribe, request and cancel. Subscribers are called in the order of their
  /// subscriptions, one delivery at a time, and all receive the values in upstream's order. Whatever happens while
  /// another thread delivers is handled by that thread afterwards; values that upstream sends meanwhile wait, and no
  /// policy counts them yet. No lock is held during a delivery, nor while upstream is subscribed to, asked or
  /// cancelled.
  ///
  /// A value that `.newest` or `.oldest` drops is reported to `handleDiscarded`, for the subscriber that loses it; so
  /// are values that wait for a subscriber that cancels.
  ///
  /// A cold upstream begins with the first subscriber, and may end before a second one arrives. Use
  /// ``multicast(buffering:in:)`` to attach all of them first, `share()` if no values need to be kept, and
  /// ``share(replay:)`` to give later subscribers earlier values.
  ///
  /// - Parameter buffering: What happens to a value for which a subscriber has no demand. A negative number traps, and so
  ///   does a bound of 0.
  /// - Returns: A publisher object that equals only itself.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func share(buffering: ShareBufferingPolicy) -> Publishers.ShareBuffered<Self> {
    Publishers.ShareBuffered(upstream: self, buffering: buffering)
  }
}

extension Publishers {
  /// A publisher that shares one upstream subscription and keeps values for slow subscribers; see
  /// ``Publisher/share(buffering:)``.
  public final class ShareBuffered<Upstream: Publisher>: Publisher, _DerivedTypes, Equatable {
    public typealias _Origin = Upstream

    /// The publisher whose values are shared.
    public let upstream: Upstream

    /// What happens to a value for which a subscriber has no demand.
    public let buffering: ShareBufferingPolicy

    @usableFromInline internal let fanOut: ShareFanOut<Upstream.Output, Upstream.Failure>

    /// Creates a publisher that shares one upstream subscription and keeps values for slow subscribers.
    ///
    /// - Parameters:
    ///   - upstream: The publisher whose values are shared.
    ///   - buffering: What happens to a value for which a subscriber has no demand. A negative number traps, and so does
    ///     a bound of 0.
    @_alwaysEmitIntoClient
    public convenience init(upstream: Upstream, buffering: ShareBufferingPolicy) {
      self.init(upstream: upstream, buffering: buffering, grace: nil)
    }

    @inlinable
    internal init(upstream: Upstream, buffering: ShareBufferingPolicy, grace: GracePeriod?) {
      buffering.check()
      self.upstream = upstream
      self.buffering = buffering
      fanOut = ShareFanOut(buffering, grace: grace)
    }

    deinit {
      fanOut.cancel()
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Upstream.Output == S.Input {
      let member = FanOutMember.make(subscriber, of: fanOut, source: self)
      if let start = fanOut.attach(member) { upstream.subscribe(SharedUpstreamSubscriber(fanOut, start)) }
    }

    /// Returns whether two references are to the same object.
    @_alwaysEmitIntoClient
    public static func == (lhs: ShareBuffered, rhs: ShareBuffered) -> Bool {
      lhs === rhs
    }
  }
}

extension Publishers.ShareBuffered: FanOutSource {
  @usableFromInline
  package var feeds: [AnyObject] { fanOut.feeds }

  @inlinable
  package static var memberName: StaticString { "ShareBuffered" }

  /// Nothing to do: the fan-out serves the member, and asks upstream then.
  @usableFromInline
  package func demandRose() {}

  @usableFromInline
  package func memberLeft() { fanOut.memberLeft() }
}

extension ShareBufferingPolicy {
  @usableFromInline
  internal func check() {
    switch self {
    case .bounded(let count):
      if count < 1 { trap(.countBelowOne(operator: "share(buffering: .bounded)")) }
    case .newest(let count), .oldest(let count):
      if count < 0 { trap(.negativeCount(operator: "share(buffering:)")) }
    case .unbounded: break
    }
  }
}
