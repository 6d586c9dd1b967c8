// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Shares one subscription to this publisher among several subscribers, and replays the latest values to new ones.
  ///
  /// ![Upstream is subscribed to once. A later subscriber gets the last two values, and then what comes.](share-replay)
  ///
  /// **It keeps running when no subscriber is left:** use ``share(replay:)`` to stop upstream then.
  ///
  /// Upstream is subscribed to once, by the first subscriber, and stays subscribed to when all subscribers have
  /// cancelled. A new subscriber receives the latest values, then live ones, and then the completion. After the end of
  /// upstream it receives the latest values and the completion.
  ///
  /// ```swift
  /// let subject = PassthroughSubject<Int, Never>()
  /// let shared = subject.shareReplay(capacity: 2)
  /// let first = shared.sink { print("first", $0) }
  /// for value in 1...3 { subject.send(value) }
  /// let second = shared.sink { print("second", $0) }
  /// // Prints "first 1", "first 2", "first 3", "second 2", "second 3" on five lines.
  /// ```
  ///
  /// A value is stored before it is delivered. A subscriber that arrives during the delivery receives it with the
  /// replayed values. The replayed values are fixed at the moment of the subscription, so that no subscriber misses a
  /// value or receives it twice, whatever other threads do.
  ///
  /// **Demand:** unlimited values are requested from upstream at once. A value that a subscriber has not requested
  /// waits for it, without a limit: the capacity limits the replayed values, not those that wait. All subscribers read
  /// from one log, so each waiting value is stored once. `request(.none)` traps.
  ///
  /// **Completion:** delivered to each subscriber after the values that wait for it.
  ///
  /// **Failure:** as for a completion. It stays: later subscribers receive it, too, and upstream is not subscribed to
  /// again. Put `retry` upstream of this operator.
  ///
  /// **Concurrency:** any thread may subscribe, request and cancel. Subscribers are called in the order of their
  /// subscriptions, one delivery at a time, and all receive the values in upstream's order. A subscription or a request
  /// during a delivery on another thread is handled by that thread. No lock is held during a delivery. Upstream is
  /// cancelled when the publisher and its last subscriber are deallocated.
  ///
  /// Use ``share(replay:)`` to stop upstream when all subscribers have cancelled, `share()` to replay nothing, and
  /// `multicast(subject:)` with a `CurrentValueSubject` to replay the latest value until the end only.
  ///
  /// - Parameter capacity: The number of values to replay; by default all of them. A negative number traps.
  /// - Returns: A publisher object that equals only itself.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func shareReplay(capacity: Int = .max) -> Publishers.ShareReplay<Self> {
    Publishers.ShareReplay(upstream: self, capacity: capacity)
  }

  /// Shares one subscription to this publisher while there are subscribers, and replays the latest values to new ones.
  ///
  /// ![A later subscriber gets the last value. When nobody is left, upstream is cancelled, and the next begins
  /// again.](share-replay-count)
  ///
  /// **After the end of upstream it is not started again:** a new subscriber gets the latest values and the completion.
  /// RxSwift's `share(replay:)` subscribes to upstream once more in this case.
  ///
  /// It works as ``shareReplay(capacity:)``, and counts its subscribers: when all have cancelled, upstream is
  /// cancelled, and the next subscriber starts it again, without replayed values. Only a cancel counts, not a
  /// completion. After the end of upstream, a new subscriber receives the latest values and the completion.
  ///
  /// ```swift
  /// let subject = PassthroughSubject<Int, Never>()
  /// let shared = subject.share(replay: 1)
  /// let first = shared.sink { print("first", $0) }
  /// subject.send(1)
  /// let second = shared.sink { print("second", $0) }
  /// first.cancel()
  /// second.cancel()
  /// let third = shared.sink { print("third", $0) }
  /// subject.send(2)
  /// // Prints "first 1", "second 1", "third 2" on three lines.
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream at once. A value that a subscriber has not requested
  /// waits for it, without a limit. `request(.none)` traps.
  ///
  /// **Completion:** delivered to each subscriber after the values that wait for it.
  ///
  /// **Failure:** as for a completion.
  ///
  /// **Concurrency:** as for ``shareReplay(capacity:)``.
  ///
  /// Use ``share(replay:keepingFor:scheduler:)`` to keep upstream for a time without subscribers,
  /// ``shareReplay(capacity:)`` to keep it running for good, and `share()` to replay nothing.
  ///
  /// - Parameter capacity: The number of values to replay. A negative number traps.
  /// - Returns: A publisher object that equals only itself.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func share(replay capacity: Int) -> Publishers.ShareReplay<Self> {
    Publishers.ShareReplay(upstream: self, capacity: capacity, stopsWithoutSubscribers: true)
  }
}

extension Publishers {
  /// A publisher that shares one upstream subscription and replays its latest values; see
  /// ``Publisher/shareReplay(capacity:)`` and ``Publisher/share(replay:)``.
  public final class ShareReplay<Upstream: Publisher>: Publisher, _DerivedTypes, Equatable {
    public typealias _Origin = Upstream

    /// The publisher whose values are shared.
    public let upstream: Upstream

    /// The number of values to replay to a new subscriber.
    public let capacity: Int

    /// Whether upstream is cancelled when all subscribers have cancelled, and started again by the next one.
    public let stopsWithoutSubscribers: Bool

    @usableFromInline internal let fanOut: ReplayFanOut<Upstream.Output, Upstream.Failure>

    /// Creates a publisher that shares one upstream subscription and replays its latest values.
    ///
    /// - Parameters:
    ///   - upstream: The publisher whose values are shared.
    ///   - capacity: The number of values to replay. A negative number traps.
    ///   - stopsWithoutSubscribers: Whether to cancel upstream when all subscribers have cancelled.
    @_alwaysEmitIntoClient
    public convenience init(upstream: Upstream, capacity: Int = .max, stopsWithoutSubscribers: Bool = false) {
      self.init(upstream: upstream, capacity: capacity, stopsWithoutSubscribers: stopsWithoutSubscribers, grace: nil)
    }

    @inlinable
    internal init(upstream: Upstream, capacity: Int, stopsWithoutSubscribers: Bool, grace: GracePeriod?) {
      if capacity < 0 { trap(.negativeCount(operator: stopsWithoutSubscribers ? "share(replay:)" : "shareReplay")) }
      self.upstream = upstream
      self.capacity = capacity
      self.stopsWithoutSubscribers = stopsWithoutSubscribers
      fanOut = ReplayFanOut(capacity: capacity, isCounted: stopsWithoutSubscribers, grace: grace)
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
    public static func == (lhs: ShareReplay, rhs: ShareReplay) -> Bool {
      lhs === rhs
    }
  }
}

extension Publishers.ShareReplay: FanOutSource {
  @usableFromInline
  package var feeds: [AnyObject] { fanOut.currentUpstream.map { [$0] } ?? [] }

  @inlinable
  package static var memberName: StaticString { "ShareReplay" }

  /// Nothing to do: the demand on upstream is unlimited from the start.
  @usableFromInline
  package func demandRose() {}

  @usableFromInline
  package func memberLeft() { fanOut.memberLeft() }
}
