// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Shares one subscription to this publisher among many subscribers, and repeats the latest values to those who join.
  ///
  /// Upstream is subscribed to once, when the first subscriber comes, and stays so when all have left. A new subscriber is
  /// given the latest values, then live ones, and then the completion. After upstream's end it is given the latest values
  /// and the completion.
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
  /// A value is kept before it is delivered. Whoever joins during its delivery gets it among the repeated ones, and what
  /// is repeated is settled at the moment of joining: nobody misses a value or gets it twice, whatever threads are at work.
  ///
  /// **Demand:** upstream is asked for everything at once. What a subscriber has not asked for yet waits for it, without
  /// bound: the capacity limits what is repeated, and not what waits. All subscribers read from one log, so each waiting
  /// value is kept once. `request(.none)` traps.
  ///
  /// **Completion:** reaches each subscriber behind the values that wait for it.
  ///
  /// **Failure:** the same.
  ///
  /// **Concurrency:** any thread may subscribe, request and cancel. Subscribers are served in the order they came, one
  /// delivery at a time, and all see upstream's order. A subscription or a request that comes while another thread
  /// delivers is left to that thread. No lock is held during a delivery. Upstream is cancelled when the publisher and its
  /// last subscriber are gone.
  ///
  /// - Parameter capacity: How many values to repeat: all of them unless told. A negative number traps.
  /// - Returns: A publisher that is equal only to itself.
  @_disfavoredOverload
  @inlinable
  public func shareReplay(capacity: Int = .max) -> Publishers.ShareReplay<Self> {
    Publishers.ShareReplay(upstream: self, capacity: capacity)
  }

  /// Shares one subscription to this publisher among its subscribers for as long as there are any, and repeats the latest
  /// values to those who join.
  ///
  /// It is ``shareReplay(capacity:)`` with a count of its subscribers: when all have cancelled, upstream is cancelled,
  /// and nothing is repeated to the next one, who starts upstream anew. Only a cancel counts as leaving. When upstream
  /// has ended, it stays so: whoever joins is given the last values and the completion.
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
  /// **Demand:** upstream is asked for everything at once. What a subscriber has not asked for yet waits for it, without
  /// bound. `request(.none)` traps.
  ///
  /// **Completion:** reaches each subscriber behind the values that wait for it.
  ///
  /// **Failure:** the same.
  ///
  /// **Concurrency:** as with ``shareReplay(capacity:)``.
  ///
  /// - Parameter capacity: How many values to repeat. A negative number traps.
  /// - Returns: A publisher that is equal only to itself.
  @_disfavoredOverload
  @inlinable
  public func share(replay capacity: Int) -> Publishers.ShareReplay<Self> {
    Publishers.ShareReplay(upstream: self, capacity: capacity, stopsWithoutSubscribers: true)
  }
}

extension Publishers {
  /// A publisher that shares one subscription to another, and repeats its latest values; see
  /// ``Publisher/shareReplay(capacity:)`` and ``Publisher/share(replay:)``.
  public final class ShareReplay<Upstream: Publisher>: Publisher, Equatable {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are shared.
    public let upstream: Upstream

    /// How many values are repeated to a new subscriber.
    public let capacity: Int

    /// Whether upstream is cancelled, and started anew by the next subscriber, when all have cancelled.
    public let stopsWithoutSubscribers: Bool

    @usableFromInline internal let fanOut: ReplayFanOut<Upstream.Output, Upstream.Failure>

    /// Makes a publisher that shares one subscription to another, and repeats its latest values.
    ///
    /// - Parameters:
    ///   - upstream: The publisher whose values are shared.
    ///   - capacity: How many values to repeat. A negative number traps.
    ///   - stopsWithoutSubscribers: Whether to cancel upstream when all have cancelled.
    @inlinable
    public init(upstream: Upstream, capacity: Int = .max, stopsWithoutSubscribers: Bool = false) {
      if capacity < 0 { trap(.negativeCount(operator: stopsWithoutSubscribers ? "share(replay:)" : "shareReplay")) }
      self.upstream = upstream
      self.capacity = capacity
      self.stopsWithoutSubscribers = stopsWithoutSubscribers
      fanOut = ReplayFanOut(capacity: capacity, isCounted: stopsWithoutSubscribers)
    }

    deinit {
      fanOut.stop()
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
      let member = Conduit(subscriber.erased(), of: fanOut, source: self, name: "ShareReplay")
      if let line = fanOut.attach(member) { upstream.subscribe(ReplayFeed(fanOut, line)) }
    }

    /// Whether two references are to the same object.
    @inlinable
    public static func == (lhs: ShareReplay, rhs: ShareReplay) -> Bool {
      lhs === rhs
    }
  }
}

extension Publishers.ShareReplay: FanOutSource {
  /// Nothing to do: the demand on upstream is unlimited from the start.
  @usableFromInline
  package func demandRose() {}

  @usableFromInline
  package func memberLeft() { fanOut.memberLeft() }
}
