// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The publisher of `acknowledged` with an asynchronous closure: one task for each delivery, or for each batch of them, and one
/// keeper of deadlines for each subscriber.
///
/// It starts its tasks as `mapAsync` does. What the work throws is no failure of the stream, so the order needs no more.
@usableFromInline
internal struct AcknowledgedPublisher<
  Upstream: Publisher, Deliveries: Collection & Sendable, Result: Sendable
>: Publisher where Deliveries.Element: Delivery {
  @usableFromInline internal typealias Output = Result?
  @usableFromInline internal typealias Failure = Upstream.Failure

  @usableFromInline internal let upstream: Upstream
  @usableFromInline internal let maxTasks: Subscribers.Demand
  @usableFromInline internal let inOrder: Bool
  @usableFromInline internal let settling: Settling<Deliveries.Element>
  /// The deliveries that a value of upstream has.
  @usableFromInline internal let deliveries: (Upstream.Output) -> Deliveries
  @usableFromInline internal let onFailure: @Sendable (any Error, Deliveries) -> DeliveryDisposition
  @usableFromInline internal let work: @Sendable (Deliveries) async throws -> Result

  @inlinable
  internal init(
    upstream: Upstream, maxTasks: Subscribers.Demand, inOrder: Bool, settling: Settling<Deliveries.Element>,
    deliveries: @escaping (Upstream.Output) -> Deliveries,
    onFailure: @escaping @Sendable (any Error, Deliveries) -> DeliveryDisposition,
    work: @escaping @Sendable (Deliveries) async throws -> Result
  ) {
    self.upstream = upstream
    self.maxTasks = maxTasks
    self.inOrder = inOrder
    self.settling = settling
    self.deliveries = deliveries
    self.onFailure = onFailure
    self.work = work
  }

  @_alwaysEmitIntoClient
  internal func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let keeper = settling.makeKeeper()
    let (settling, deliveries, onFailure, work) = (settling, deliveries, onFailure, work)
    let start = { (value: Upstream.Output) in
      Future<Output, Failure>(deliveries(value), settling, keeper, onFailure, work)
    }
    if !inOrder || maxTasks == .max(1) {
      upstream.flatMap(maxPublishers: maxTasks) { start($0).untilDelivered }.subscribe(subscriber)
    } else {
      FlatMapSequentialPublisher(
        upstream: upstream, maxPublishers: maxTasks, prefetch: .max(1), failsInTurn: true, name: FlatMapEvery.name,
        transform: start
      ).subscribe(subscriber)
    }
  }
}

extension Future {
  /// Creates a future of what work for deliveries returns, and starts its task, which settles them as well.
  ///
  /// The task is cancelled as soon as nobody refers to the future any more, and when others have the deliveries.
  @inlinable
  internal convenience init<Deliveries: Collection & Sendable, Result: Sendable>(
    _ deliveries: Deliveries, _ settling: Settling<Deliveries.Element>, _ keeper: DeadlineKeeper,
    _ onFailure: @escaping @Sendable (any Error, Deliveries) -> DeliveryDisposition,
    _ work: @escaping @Sendable (Deliveries) async throws -> Result
  ) where Output == Result?, Deliveries.Element: Delivery {
    self.init()
    let course = WorkCourse(deliveries, settling, keeper)
    let future = WeakReference(self)
    let task = Task {
      let result = await course.run({ onFailure($0, deliveries) }) { try await work(deliveries) }
      future.object?.fulfill(.success(result))
    }
    course.onLoss { task.cancel() }
    own(TaskOwner(task))
  }
}
