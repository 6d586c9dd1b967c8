// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Turns each value into a publisher and republishes the values of all those publishers.
  ///
  /// ![Each letter becomes a publisher. All of them deliver at the same time, and their values are merged.](flat-map)
  ///
  /// ```swift
  /// let cancellable = [1, 2, 3].publisher
  ///   .flatMap { number in Array(repeating: number, count: number).publisher }
  ///   .sink { print($0, terminator: " ") }
  /// // Prints "1 2 2 3 3 3 ".
  /// ```
  ///
  /// The inner publishers run at the same time, and their values are mixed; the values of each one stay in order.
  ///
  /// **Demand:** `maxPublishers` values are requested from upstream, and one more whenever an inner publisher finishes.
  /// One value at a time is requested from each inner publisher, and unlimited values once downstream has unlimited
  /// demand. A value that downstream has not requested waits: at most one of each inner publisher. `request(.none)`
  /// traps.
  ///
  /// **Completion:** `.finished` when upstream and all inner publishers have finished and no value waits. A cancel is
  /// passed to all inner publishers, and then to upstream.
  ///
  /// **Failure:** the first failure, of upstream or of an inner publisher, is forwarded at once. Values that wait are
  /// dropped, and everything else is cancelled.
  ///
  /// **Concurrency:** upstream and the inner publishers may deliver on any thread; downstream receives one value at a
  /// time. A value that arrives while another thread is delivering is delivered by that thread, and the call returns.
  /// No lock is held while the closure or a subscriber runs.
  ///
  /// Use `map(_:)` followed by ``switchToLatest()-61u31`` if a new value should cancel the publisher of the previous
  /// one, and `maxPublishers: .max(1)` to run one inner publisher after the other.
  ///
  /// - Parameters:
  ///   - maxPublishers: The maximum number of inner publishers at a time.
  ///   - transform: A closure that turns a value into a publisher.
  /// - Returns: A publisher of the values of all inner publishers.
  @_alwaysEmitIntoClient
  public consuming func flatMap<T, P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where T == P.Output, Failure == P.Failure {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}

extension Publisher where Failure == Never {
  /// Turns each value of a publisher that cannot fail into a publisher that can, and republishes the values of all of
  /// them.
  ///
  /// ![Each letter becomes a publisher. All of them deliver at the same time, and their values are merged.](flat-map)
  ///
  /// It works as ``flatMap(maxPublishers:_:)-tkly``, which takes publishers with the same failure type; here upstream
  /// cannot fail.
  ///
  /// **Demand:** `maxPublishers` values are requested from upstream, and one more whenever an inner publisher finishes.
  ///
  /// **Completion:** `.finished` when upstream and all inner publishers have finished and no value waits.
  ///
  /// **Failure:** the first failure of an inner publisher is forwarded at once.
  ///
  /// **Concurrency:** upstream and the inner publishers may deliver on any thread; downstream receives one value at a
  /// time.
  ///
  /// Use `map(_:)` followed by ``switchToLatest()-61u31`` if a new value should cancel the publisher of the previous
  /// one, and `maxPublishers: .max(1)` to run one inner publisher after the other.
  ///
  /// - Parameters:
  ///   - maxPublishers: The maximum number of inner publishers at a time.
  ///   - transform: A closure that turns a value into a publisher.
  /// - Returns: A publisher of the values of all inner publishers.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> {
    setFailureType(to: P.Failure.self).flatMap(maxPublishers: maxPublishers, transform)
  }

  /// Turns each value into a publisher and republishes the values of all of them; neither side can fail.
  ///
  /// ![Each letter becomes a publisher. All of them deliver at the same time, and their values are merged.](flat-map)
  ///
  /// It works as ``flatMap(maxPublishers:_:)-tkly``, which takes publishers with the same failure type; here none of
  /// them can fail.
  ///
  /// **Demand:** `maxPublishers` values are requested from upstream, and one more whenever an inner publisher finishes.
  ///
  /// **Completion:** `.finished` when upstream and all inner publishers have finished and no value waits.
  ///
  /// **Failure:** none; the publisher cannot fail.
  ///
  /// **Concurrency:** upstream and the inner publishers may deliver on any thread; downstream receives one value at a
  /// time.
  ///
  /// Use `map(_:)` followed by ``switchToLatest()-61u31`` if a new value should cancel the publisher of the previous
  /// one, and `maxPublishers: .max(1)` to run one inner publisher after the other.
  ///
  /// - Parameters:
  ///   - maxPublishers: The maximum number of inner publishers at a time.
  ///   - transform: A closure that turns a value into a publisher.
  /// - Returns: A publisher of the values of all inner publishers.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}

extension Publisher {
  /// Turns each value into a publisher that cannot fail and republishes the values of all of them.
  ///
  /// ![Each letter becomes a publisher. All of them deliver at the same time, and their values are merged.](flat-map)
  ///
  /// It works as ``flatMap(maxPublishers:_:)-tkly``, which takes publishers with the same failure type; here the inner
  /// publishers cannot fail.
  ///
  /// **Demand:** `maxPublishers` values are requested from upstream, and one more whenever an inner publisher finishes.
  ///
  /// **Completion:** `.finished` when upstream and all inner publishers have finished and no value waits.
  ///
  /// **Failure:** a failure of upstream is forwarded at once.
  ///
  /// **Concurrency:** upstream and the inner publishers may deliver on any thread; downstream receives one value at a
  /// time.
  ///
  /// Use `map(_:)` followed by ``switchToLatest()-61u31`` if a new value should cancel the publisher of the previous
  /// one, and `maxPublishers: .max(1)` to run one inner publisher after the other.
  ///
  /// - Parameters:
  ///   - maxPublishers: The maximum number of inner publishers at a time.
  ///   - transform: A closure that turns a value into a publisher.
  /// - Returns: A publisher of the values of all inner publishers.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self> where P.Failure == Never {
    flatMap(maxPublishers: maxPublishers) { transform($0).setFailureType(to: Failure.self) }
  }
}

extension Publishers {
  /// A publisher that turns each value into a publisher and republishes the values of all of them; see
  /// ``Publisher/flatMap(maxPublishers:_:)-tkly``.
  public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: FlatteningOperator, _DerivedTypes
  where NewPublisher.Failure == Upstream.Failure {
    public typealias _Origin = Empty<NewPublisher.Output, Upstream.Failure>

    /// The publisher of the values that are turned into publishers.
    public let upstream: Upstream

    /// The maximum number of inner publishers at a time.
    public let maxPublishers: Subscribers.Demand

    /// The closure that turns a value into a publisher.
    public let transform: (Upstream.Output) -> NewPublisher

    /// Creates a publisher that turns each value into a publisher and republishes the values of all of them.
    @_alwaysEmitIntoClient
    public init(
      upstream: Upstream, maxPublishers: Subscribers.Demand, transform: @escaping (Upstream.Output) -> NewPublisher
    ) {
      self.upstream = upstream
      self.maxPublishers = maxPublishers
      self.transform = transform
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where NewPublisher.Output == S.Input, Upstream.Failure == S.Failure {
      attach(subscriber)
    }

    @_alwaysEmitIntoClient
    package func makeCore(_ downstream: __owned SubscriberCalls) -> FlatMapCore<NewPublisher.Output, Upstream.Failure> {
      FlatMapCore(name: FlatMapEvery.name, maxPublishers, holdsBack: FlatMapEvery.holdsBack, downstream: downstream)
    }
  }
}
