// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Shares one subscription to this publisher among several subscribers.
  ///
  /// ![Upstream is subscribed to once. A second subscriber gets what comes from then on.](share)
  ///
  /// The first subscriber starts the upstream subscription, and later subscribers receive only later values. When all
  /// of them have cancelled, upstream is cancelled, and the next subscriber starts it again.
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
  /// **Demand:** unlimited values are requested from upstream once any subscriber has requested a value. A value that a
  /// subscriber has not requested is dropped for that subscriber.
  ///
  /// **Completion:** delivered to all subscribers. Later subscribers receive it at once, and upstream is not subscribed
  /// to again.
  ///
  /// **Failure:** as for a completion.
  ///
  /// **Concurrency:** any thread may subscribe and cancel. Values are delivered one at a time, in the same order to all
  /// subscribers. Upstream is subscribed to once, however many threads subscribe at the same time. An upstream that
  /// delivers while it is being subscribed to delivers everything to the first subscriber; if that subscriber cancels
  /// meanwhile, as `share().first()` does, and no other has subscribed, upstream is cancelled, even an endless one.
  ///
  /// Use ``multicast(subject:)`` with a ``CurrentValueSubject`` to give later subscribers the latest value until the
  /// end, and ``makeConnectable()`` to start only when all subscribers are attached. `PenstockOperators` adds
  /// `shareReplay(capacity:)`, which replays values after the end as well.
  ///
  /// - Returns: A publisher object that equals only itself.
  @_alwaysEmitIntoClient
  public consuming func share() -> Publishers.Share<Self> {
    Publishers.Share(upstream: self)
  }
}

extension Publishers {
  /// A publisher that shares one upstream subscription among several subscribers; see ``Publisher/share()``.
  public final class Share<Upstream: Publisher>: Publisher, _DerivedTypes, Equatable {
    public typealias _Origin = Upstream

    /// The publisher whose values are shared.
    public let upstream: Upstream

    @usableFromInline
    internal let shared: Autoconnect<Multicast<Upstream, PassthroughSubject<Upstream.Output, Upstream.Failure>>>

    /// Creates a publisher that shares one upstream subscription among several subscribers.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream) {
      self.upstream = upstream
      shared = Multicast(upstream: upstream, createSubject: PassthroughSubject.init).autoconnect()
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Upstream.Output == S.Input {
      shared.receive(subscriber: subscriber)
    }

    @_alwaysEmitIntoClient @inline(__always)
    public static var _offer: _Offer { .end }

    @_alwaysEmitIntoClient @inline(__always)
    public func _fuse<Target: _FusionTarget>(into target: Target) -> Target.Answer
    where Target.Input == Upstream.Output, Target.Failure == Failure {
      Target._traits.residesAnywhere ? admit(target) : target._subscribe(to: self)
    }

    /// Attaches a resident subscriber to the subject itself: the links of ``Multicast`` and ``Autoconnect`` would only
    /// forward.
    ///
    /// A function of its own, as ``SinkTarget/_subscribe(to:)`` is.
    @inlinable @inline(never)
    internal func admit<Target: _FusionTarget>(_ target: Target) -> Target.Answer
    where Target.Input == Upstream.Output, Target.Failure == Failure {
      let (multicast, connection) = (shared.upstream, shared.connection)
      let connects = connection.join()
      let subject = multicast.subject.object(multicast.createSubject)
      let member = subject.fanOut.attachResident(of: target, source: subject)
      let answer = Target._answer(SharedSubscription(member, holding: connection))
      if connects { connection.connect { multicast._connect($0) } }
      return answer
    }

    /// Returns whether two references are to the same object.
    @_alwaysEmitIntoClient
    public static func == (lhs: Share, rhs: Share) -> Bool {
      lhs === rhs
    }
  }
}
