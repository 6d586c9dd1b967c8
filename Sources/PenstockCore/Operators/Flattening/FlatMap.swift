// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Turns each value into a stream, and delivers what all those streams deliver.
  ///
  /// ```swift
  /// let cancellable = [1, 2, 3].publisher
  ///   .flatMap { number in Array(repeating: number, count: number).publisher }
  ///   .sink { print($0, terminator: " ") }
  /// // Prints "1 2 2 3 3 3 ".
  /// ```
  ///
  /// Streams that are running at the same time deliver as they like; each one's own values stay in order.
  ///
  /// **Demand:** upstream is asked for `maxPublishers` values, and for one more whenever a stream finishes. Each stream
  /// is asked for one value at a time, and for everything once downstream wants everything. A value that downstream has
  /// not asked for waits: one of each stream. `request(.none)` traps.
  ///
  /// **Completion:** `.finished` when upstream and all streams have finished and no value waits. A cancel goes to all
  /// streams, and then to upstream.
  ///
  /// **Failure:** the first failure of upstream or of a stream is forwarded at once. What waits is dropped, and everything
  /// else is cancelled.
  ///
  /// **Concurrency:** upstream and the streams may deliver on any threads; downstream gets one value at a time. A stream
  /// that delivers while another thread does leaves its value to that thread, and goes on. No lock is held while the
  /// closure or a subscriber runs.
  ///
  /// - Parameters:
  ///   - maxPublishers: How many streams may run at the same time.
  ///   - transform: Turns a value into a stream.
  /// - Returns: A publisher of the values of all the streams.
  @inlinable
  public func flatMap<T, P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where T == P.Output, Failure == P.Failure {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}

extension Publisher where Failure == Never {
  /// Turns each value into a stream that may fail, and delivers what all those streams deliver.
  ///
  /// Like the `flatMap(maxPublishers:_:)` where both may fail; here upstream cannot.
  ///
  /// **Demand:** upstream is asked for `maxPublishers` values, and for one more whenever a stream finishes.
  ///
  /// **Completion:** `.finished` when upstream and all streams have finished and no value waits.
  ///
  /// **Failure:** the first failure of a stream is forwarded at once.
  ///
  /// **Concurrency:** upstream and the streams may deliver on any threads; downstream gets one value at a time.
  ///
  /// - Parameters:
  ///   - maxPublishers: How many streams may run at the same time.
  ///   - transform: Turns a value into a stream.
  /// - Returns: A publisher of the values of all the streams.
  @inlinable
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> {
    setFailureType(to: P.Failure.self).flatMap(maxPublishers: maxPublishers, transform)
  }

  /// Turns each value into a stream, and delivers what all those streams deliver; none of them can fail.
  ///
  /// Like the `flatMap(maxPublishers:_:)` where both may fail; here nothing can fail.
  ///
  /// **Demand:** upstream is asked for `maxPublishers` values, and for one more whenever a stream finishes.
  ///
  /// **Completion:** `.finished` when upstream and all streams have finished and no value waits.
  ///
  /// **Failure:** there is none.
  ///
  /// **Concurrency:** upstream and the streams may deliver on any threads; downstream gets one value at a time.
  ///
  /// - Parameters:
  ///   - maxPublishers: How many streams may run at the same time.
  ///   - transform: Turns a value into a stream.
  /// - Returns: A publisher of the values of all the streams.
  @inlinable
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}

extension Publisher {
  /// Turns each value into a stream that cannot fail, and delivers what all those streams deliver.
  ///
  /// Like the `flatMap(maxPublishers:_:)` where both may fail; here the streams cannot.
  ///
  /// **Demand:** upstream is asked for `maxPublishers` values, and for one more whenever a stream finishes.
  ///
  /// **Completion:** `.finished` when upstream and all streams have finished and no value waits.
  ///
  /// **Failure:** a failure of upstream is forwarded at once.
  ///
  /// **Concurrency:** upstream and the streams may deliver on any threads; downstream gets one value at a time.
  ///
  /// - Parameters:
  ///   - maxPublishers: How many streams may run at the same time.
  ///   - transform: Turns a value into a stream.
  /// - Returns: A publisher of the values of all the streams.
  @inlinable
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self> where P.Failure == Never {
    flatMap(maxPublishers: maxPublishers) { transform($0).setFailureType(to: Failure.self) }
  }
}

extension Publishers {
  /// A publisher of what the streams that another's values stand for deliver; see `flatMap(maxPublishers:_:)` of
  /// ``Publisher``.
  public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Publisher
  where NewPublisher.Failure == Upstream.Failure {
    public typealias Output = NewPublisher.Output
    public typealias Failure = Upstream.Failure

    /// The publisher of the values to turn into streams.
    public let upstream: Upstream

    /// How many streams may run at the same time.
    public let maxPublishers: Subscribers.Demand

    /// Turns a value into a stream.
    public let transform: (Upstream.Output) -> NewPublisher

    /// Makes a publisher of what the streams that another's values stand for deliver.
    @inlinable
    public init(
      upstream: Upstream, maxPublishers: Subscribers.Demand, transform: @escaping (Upstream.Output) -> NewPublisher
    ) {
      self.upstream = upstream
      self.maxPublishers = maxPublishers
      self.transform = transform
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S)
    where NewPublisher.Output == S.Input, Upstream.Failure == S.Failure {
      let core = FlatMapCore(maxPublishers, to: subscriber)
      core.start(subscriber)
      upstream.subscribe(OuterStream(FlatMapOuterFlow(core, transform)))
    }
  }
}
