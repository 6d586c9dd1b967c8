// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension SendablePublisher where Base.Output: Delivery {
  /// Does asynchronous work for each delivery, acknowledges what is done, and publishes what the work returns.
  ///
  /// It works as `Publisher.acknowledged(maxTasks:inOrder:extendingEvery:clock:onFailure:onRefusal:after:)`, in a
  /// pipeline that is checked for data races.
  @inlinable
  public func acknowledged<T: Sendable>(
    maxTasks: Subscribers.Demand = .max(1), inOrder: Bool = false, extendingEvery interval: Duration? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    onFailure: @escaping @Sendable (_ error: any Error, _ delivery: Output) -> DeliveryDisposition = {
      .backoff(after: $0, attempt: $1.attempt)
    },
    onRefusal: @escaping @Sendable (_ error: DeliveryError, _ delivery: Output) -> Void = { _, _ in },
    after work: @escaping @Sendable (_ delivery: Output) async throws -> T
  ) -> SendablePublisher<Publishers.CompactMap<Publishers.Lifted<T?, Failure>, T>> {
    SendablePublisher<_>(
      unchecked: base.acknowledged(
        maxTasks: maxTasks, inOrder: inOrder, extendingEvery: interval, clock: clock, onFailure: onFailure,
        onRefusal: onRefusal, after: work)
    )
  }

  /// Subscribes to a publisher for each delivery, republishes its values, and acknowledges the delivery when it finishes.
  ///
  /// It works as `Publisher.acknowledged(maxPublishers:extendingEvery:clock:onFailure:onRefusal:after:)`, in a pipeline
  /// that is checked for data races.
  ///
  /// `work` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func acknowledged<Inner: Publisher>(
    maxPublishers: Subscribers.Demand, extendingEvery interval: Duration? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    onFailure: @escaping @Sendable (_ error: Inner.Failure, _ delivery: Output) -> DeliveryDisposition = {
      .backoff(after: $0, attempt: $1.attempt)
    },
    onRefusal: @escaping @Sendable (_ error: DeliveryError, _ delivery: Output) -> Void = { _, _ in },
    after work: @escaping @Sendable (_ delivery: Output) -> SendablePublisher<Inner>
  ) -> SendablePublisher<Publishers.Lifted<Inner.Output, Failure>> {
    SendablePublisher<_>(
      unchecked: base.acknowledged(
        maxPublishers: maxPublishers, extendingEvery: interval, clock: clock, onFailure: onFailure,
        onRefusal: onRefusal, after: { work($0).base }))
  }

  /// Republishes deliveries, and extends their deadlines until they are settled or released.
  ///
  /// It works as `Publisher.extendingDeadlines(every:clock:onRefusal:)`, in a pipeline that is checked for data races.
  @inlinable
  public func extendingDeadlines(
    every interval: Duration? = nil, clock: any Clock<Duration> = ContinuousClock(),
    onRefusal: @escaping @Sendable (_ error: DeliveryError, _ delivery: Output) -> Void = { _, _ in }
  ) -> SendablePublisher<Publishers.Lifted<ExtendedDelivery<Output>, Failure>> {
    SendablePublisher<_>(unchecked: base.extendingDeadlines(every: interval, clock: clock, onRefusal: onRefusal))
  }

  /// Republishes deliveries, and sets aside those that have been tried too often.
  ///
  /// It works as `Publisher.deadLetter(after:to:)`, in a pipeline that is checked for data races.
  @inlinable
  public func deadLetter(
    after count: Int, to store: @escaping @Sendable (_ delivery: Output) async throws -> Void
  ) -> SendablePublisher<Publishers.Lifted<Output, Failure>> {
    SendablePublisher<_>(unchecked: base.deadLetter(after: count, to: store))
  }

  /// Republishes deliveries, and publishes those that have been tried too often to a queue.
  ///
  /// It works as `Publisher.deadLetter(after:to:)` with a queue, in a pipeline that is checked for data races.
  @inlinable
  public func deadLetter(
    after count: Int, to queue: DeliveryQueue<Output.Payload>
  ) -> SendablePublisher<Publishers.Lifted<Output, Failure>> {
    SendablePublisher<_>(unchecked: base.deadLetter(after: count, to: queue))
  }
}

extension SendablePublisher {
  /// Does asynchronous work for each batch of deliveries, acknowledges them together, and publishes what the work returns.
  ///
  /// It works as `Publisher.acknowledged` for batches, in a pipeline that is checked for data races.
  @inlinable
  public func acknowledged<Element: Delivery, T: Sendable>(
    maxTasks: Subscribers.Demand = .max(1), inOrder: Bool = false, extendingEvery interval: Duration? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    onFailure: @escaping @Sendable (_ error: any Error, _ batch: [Element]) -> DeliveryDisposition = {
      .backoff(after: $0, attempt: $1.lazy.map(\.attempt).max() ?? 1)
    },
    onRefusal: @escaping @Sendable (_ error: DeliveryError, _ delivery: Element) -> Void = { _, _ in },
    after work: @escaping @Sendable (_ batch: [Element]) async throws -> T
  ) -> SendablePublisher<Publishers.CompactMap<Publishers.Lifted<T?, Failure>, T>> where Base.Output == [Element] {
    SendablePublisher<_>(
      unchecked: base.acknowledged(
        maxTasks: maxTasks, inOrder: inOrder, extendingEvery: interval, clock: clock, onFailure: onFailure,
        onRefusal: onRefusal, after: work)
    )
  }
}
