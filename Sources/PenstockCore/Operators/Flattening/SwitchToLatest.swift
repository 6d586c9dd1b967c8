// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher where Output: Publisher, Output.Failure == Failure {
  /// Republishes the values of the most recent inner publisher.
  ///
  /// ![The values of the newest publisher are published; the one before is cancelled.](switch-to-latest)
  ///
  /// ```swift
  /// let searches = PassthroughSubject<PassthroughSubject<String, Never>, Never>()
  /// let cancellable = searches.switchToLatest().sink { print($0) }
  /// let (first, second) = (PassthroughSubject<String, Never>(), PassthroughSubject<String, Never>())
  /// searches.send(first)
  /// first.send("pen")
  /// searches.send(second)
  /// first.send("pencil")
  /// second.send("penstock")
  /// // Prints "pen", "penstock" on two lines.
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream; downstream's demand is passed to the latest inner
  /// publisher, and demand that it has not met is passed to the next one. `request(.none)` traps, and so does a value
  /// that was not requested.
  ///
  /// **Completion:** `.finished` when upstream and the latest inner publisher have finished. A new inner publisher
  /// cancels the previous one. A cancel is passed to the latest inner publisher and to upstream.
  ///
  /// **Failure:** the first failure, of upstream or of the latest inner publisher, is forwarded at once, and the other
  /// side is cancelled.
  ///
  /// **Concurrency:** upstream and the inner publishers may deliver on any thread; downstream receives one value at a
  /// time. A value that arrives while another thread is delivering is delivered by that thread, and the call returns.
  ///
  /// Use ``flatMap(maxPublishers:_:)-tkly`` to keep the earlier inner publishers running.
  ///
  /// - Returns: A publisher of the values of the most recent inner publisher.
  @_alwaysEmitIntoClient
  public consuming func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
    Publishers.SwitchToLatest(upstream: self)
  }
}

extension Publisher where Failure == Never, Output: Publisher {
  /// Republishes the values of the most recent inner publisher, for an upstream publisher that cannot fail.
  ///
  /// ![The values of the newest publisher are published; the one before is cancelled.](switch-to-latest)
  ///
  /// **Demand:** unlimited values are requested from upstream; downstream's demand is passed to the latest inner
  /// publisher.
  ///
  /// **Completion:** `.finished` when upstream and the latest inner publisher have finished.
  ///
  /// **Failure:** a failure of the latest inner publisher is forwarded at once, and upstream is cancelled.
  ///
  /// **Concurrency:** upstream and the inner publishers may deliver on any thread; downstream receives one value at a
  /// time.
  ///
  /// Use ``flatMap(maxPublishers:_:)-tkly`` to keep the earlier inner publishers running.
  ///
  /// - Returns: A publisher of the values of the most recent inner publisher.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func switchToLatest()
    -> Publishers.SwitchToLatest<Output, Publishers.SetFailureType<Self, Output.Failure>>
  {
    Publishers.SwitchToLatest(upstream: setFailureType(to: Output.Failure.self))
  }

  /// Republishes the values of the most recent inner publisher, where neither side can fail.
  ///
  /// ![The values of the newest publisher are published; the one before is cancelled.](switch-to-latest)
  ///
  /// **Demand:** unlimited values are requested from upstream; downstream's demand is passed to the latest inner
  /// publisher.
  ///
  /// **Completion:** `.finished` when upstream and the latest inner publisher have finished.
  ///
  /// **Failure:** none; the publisher cannot fail.
  ///
  /// **Concurrency:** upstream and the inner publishers may deliver on any thread; downstream receives one value at a
  /// time.
  ///
  /// Use ``flatMap(maxPublishers:_:)-tkly`` to keep the earlier inner publishers running.
  ///
  /// - Returns: A publisher of the values of the most recent inner publisher.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> where Output.Failure == Never {
    Publishers.SwitchToLatest(upstream: self)
  }
}

extension Publisher where Output: Publisher, Output.Failure == Never {
  /// Republishes the values of the most recent inner publisher, for inner publishers that cannot fail.
  ///
  /// ![The values of the newest publisher are published; the one before is cancelled.](switch-to-latest)
  ///
  /// **Demand:** unlimited values are requested from upstream; downstream's demand is passed to the latest inner
  /// publisher.
  ///
  /// **Completion:** `.finished` when upstream and the latest inner publisher have finished.
  ///
  /// **Failure:** a failure of upstream is forwarded at once, and the latest inner publisher is cancelled.
  ///
  /// **Concurrency:** upstream and the inner publishers may deliver on any thread; downstream receives one value at a
  /// time.
  ///
  /// Use ``flatMap(maxPublishers:_:)-tkly`` to keep the earlier inner publishers running.
  ///
  /// - Returns: A publisher of the values of the most recent inner publisher.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func switchToLatest()
    -> Publishers.SwitchToLatest<
      Publishers.SetFailureType<Output, Failure>, Publishers.Map<Self, Publishers.SetFailureType<Output, Failure>>
    >
  {
    Publishers.SwitchToLatest(upstream: map { $0.setFailureType(to: Failure.self) })
  }
}

extension Publishers {
  /// A publisher that republishes the values of the most recent inner publisher; see
  /// ``Publisher/switchToLatest()-61u31``.
  public struct SwitchToLatest<P: Publisher, Upstream: Publisher>: SerialOperator, _DerivedTypes
  where P == Upstream.Output, P.Failure == Upstream.Failure {
    public typealias _Origin = P

    /// The publisher of publishers.
    public let upstream: Upstream

    /// Creates a publisher that republishes the values of the most recent inner publisher.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where P.Output == S.Input, Upstream.Failure == S.Failure {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient
    package func makeCore(_ downstream: __owned SubscriberCalls) -> SwitchCore<P.Output, P.Failure> {
      SwitchCore(downstream: downstream)
    }

    @_alwaysEmitIntoClient
    package func start<Downstream: Subscriber>(
      _ core: SwitchCore<P.Output, P.Failure>, upstreamOf downstream: Downstream.Type
    )
    where Downstream.Input == P.Output, Downstream.Failure == P.Failure {
      core.introduce()
      upstream.subscribe(InletSubscriber(SwitchUpstreamHandler<P>(core)), upstreamOf: Downstream.self)
    }
  }
}

extension Publishers.SwitchToLatest: Sendable where Upstream: Sendable {}
