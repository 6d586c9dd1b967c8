// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher where Output: Delivery {
  /// Does asynchronous work for each delivery, acknowledges what is done, and publishes what the work returns.
  ///
  /// ```swift
  /// let queue = DeliveryQueue<Int>(capacity: 10)
  /// for number in [1, 2] { try await queue.publish(number) }
  /// queue.finish()
  /// struct Busy: Error {}
  /// let results = queue.deliveries().acknowledged { delivery in
  ///   if delivery.payload == 1, delivery.attempt == 1 { throw Busy() }
  ///   return "\(delivery.payload) done"
  /// }
  /// for await result in results.values { print(result) }
  /// // Prints "2 done", "1 done" on two lines.
  /// ```
  ///
  /// The result of the work is published when the acknowledgement has been accepted. If the acknowledgement is refused,
  /// the delivery will be delivered again: the refusal is reported to `onRefusal`, and nothing is published.
  ///
  /// If the work throws, its delivery is given back, and the stream continues. The delivery comes again after a wait
  /// that doubles with each attempt, from a second to a minute, or that the error names, as a ``RetryAfterError``. Pass
  /// `onFailure` to change that: with `{ _, _ in .nak() }` the delivery comes again at once.
  ///
  /// While the work runs, the deadline is extended, by default whenever half of it has passed. If an extension is
  /// refused because another consumer has the delivery by now, or because the delivery has been settled, the work's
  /// task is cancelled, its result is not published, and nothing is settled. If a delivery could not be extended before
  /// its deadline for any other reason, it is not extended any more.
  ///
  /// **Demand:** one more delivery is requested whenever a result has been delivered or a delivery has been given back, so
  /// that no more than `maxTasks` are neither settled nor published. `request(.none)` traps.
  ///
  /// **Completion:** `.finished` when upstream has finished and everything is settled. A cancel cancels upstream, and
  /// then the work, so that deliveries that are given back do not come to this subscriber. If the work then throws
  /// `CancellationError`, it has been cut off: its delivery is given back at once, as tried, and `onFailure` is not
  /// called. If it throws another error, it has failed, and `onFailure` is called, even if a client has wrapped a
  /// cancellation in an error of its own. Work that completes nevertheless is acknowledged. A delivery whose work had
  /// not begun is given back as not tried.
  ///
  /// **Failure:** upstream's, at once; it cancels the work.
  ///
  /// **Concurrency:** each delivery has a task of its own, off every actor unless the closure is isolated. Results are
  /// published as the tasks end, one at a time, unless `inOrder` keeps the order of the deliveries. One alarm serves
  /// all deliveries of a subscriber, so a delivery costs nothing until its first extension. `onFailure` is called in
  /// the task of the work, and `onRefusal` in any task.
  ///
  /// **Traps:** a `maxTasks` of none, an interval of zero or less.
  ///
  /// Put `deadLetter(after:to:)` before this operator; a message that never succeeds would otherwise come again for
  /// ever.
  ///
  /// - Parameters:
  ///   - maxTasks: How many deliveries are worked on at a time.
  ///   - inOrder: Whether results come in the order of the deliveries.
  ///   - interval: How long after each extension the next one follows; `nil` for half of the delivery's deadline.
  ///   - clock: The clock of the interval.
  ///   - onFailure: A closure that decides what happens to a delivery whose work has thrown an error.
  ///   - onRefusal: A closure that is called when a delivery could not be settled or extended.
  ///   - work: A closure that does the work.
  /// - Returns: A publisher of what the work returns.
  @inlinable
  public consuming func acknowledged<T: Sendable>(
    maxTasks: Subscribers.Demand = .max(1), inOrder: Bool = false, extendingEvery interval: Duration? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    onFailure: @escaping @Sendable (_ error: any Error, _ delivery: Output) -> DeliveryDisposition = {
      .backoff(after: $0, attempt: $1.attempt)
    },
    onRefusal: @escaping @Sendable (_ error: DeliveryError, _ delivery: Output) -> Void = { _, _ in },
    after work: @escaping @Sendable (_ delivery: Output) async throws -> T
  ) -> Publishers.CompactMap<Publishers.Lifted<T?, Failure>, T> {
    checkLimit(maxTasks, of: "acknowledged(maxTasks:)")
    let settling = Settling(interval: interval, clock: clock, onRefusal: onRefusal)
    return lift {
      TaskStage(
        AcknowledgedStarter<Output, CollectionOfOne<Output>, T, Failure>(
          settling, deliveries: CollectionOfOne.init, onFailure: { onFailure($0, $1[0]) },
          work: { try await work($0[0]) }),
        maxTasks: maxTasks, inOrder: inOrder)
    }
    .compactMap { $0 }
  }

  /// Subscribes to a publisher for each delivery, republishes its values, and acknowledges the delivery when it finishes.
  ///
  /// It works as `acknowledged(maxTasks:inOrder:extendingEvery:clock:onFailure:onRefusal:after:)`, with a publisher as
  /// the work. `onFailure` gets the publisher's failure, and if a cancel cuts the publisher off, its delivery is given
  /// back at once. When another consumer has the delivery, the publisher is cancelled, and nothing is settled.
  ///
  /// **Demand:** that of `flatMap`: `maxPublishers` deliveries are requested, and one more when one has been settled.
  ///
  /// **Completion:** `.finished` when upstream has finished and everything is settled. A cancel cancels the publishers.
  ///
  /// **Failure:** upstream's, at once; it cancels the publishers.
  ///
  /// **Concurrency:** the closure runs on the thread that delivers the delivery. The publishers' values are delivered
  /// one at a time. A delivery is given back when a cancel has reached its publisher and upstream, so that it goes to
  /// another consumer.
  ///
  /// **Traps:** a `maxPublishers` of none, an interval of zero or less.
  ///
  /// - Parameters:
  ///   - maxPublishers: How many deliveries are worked on at a time.
  ///   - interval: How long after each extension the next one follows; `nil` for half of the delivery's deadline.
  ///   - clock: The clock of the interval.
  ///   - onFailure: A closure that decides what happens to a delivery whose publisher has failed.
  ///   - onRefusal: A closure that is called when a delivery could not be settled or extended.
  ///   - work: A closure that returns the publisher that does the work.
  /// - Returns: A publisher of the values of all publishers.
  @inlinable
  public consuming func acknowledged<Inner: Publisher>(
    maxPublishers: Subscribers.Demand, extendingEvery interval: Duration? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    onFailure: @escaping @Sendable (_ error: Inner.Failure, _ delivery: Output) -> DeliveryDisposition = {
      .backoff(after: $0, attempt: $1.attempt)
    },
    onRefusal: @escaping @Sendable (_ error: DeliveryError, _ delivery: Output) -> Void = { _, _ in },
    after work: @escaping (_ delivery: Output) -> Inner
  ) -> Publishers.Lifted<Inner.Output, Failure> {
    checkLimit(maxPublishers, of: "acknowledged(maxPublishers:)")
    let settling = Settling(interval: interval, clock: clock, onRefusal: onRefusal)
    let deliveries = self
    return Publishers.Lifted(
      Deferred {
        let (leaving, keeper) = (Leaving(), settling.makeKeeper())
        return deliveries.flatMap(maxPublishers: maxPublishers) { delivery in
          SettlingPublisher(
            settling: settling, keeper: keeper, leaving: leaving, delivery: delivery, work: work(delivery),
            onFailure: onFailure
          )
          .setFailureType(to: Failure.self)
        }
        .finally { leaving.end() }
        .handleEvents(receiveCancel: { leaving.begin() })
      })
  }
}

extension Publisher {
  /// Does asynchronous work for each batch of deliveries, acknowledges them together, and publishes what the work returns.
  ///
  /// For a database that takes many rows at once: `collect(upTo:weight:within:scheduler:options:weightOf:)` makes the
  /// batches. If the work throws, all deliveries of the batch are given back, by default after a wait that doubles with
  /// their highest attempt. The work is cancelled when all deliveries of the batch are lost; if only some are lost,
  /// those are not settled.
  ///
  /// Nothing extends deliveries that wait in a batch that is not full, unless
  /// `extendingDeadlines(every:clock:onRefusal:)` comes before it. A message that comes again within a batch, as its
  /// ``Delivery/messageID`` shows, is in the batch once, with its last delivery; the earlier deliveries have expired,
  /// and are not settled.
  ///
  /// **Demand:**, **Completion:**, **Failure:**, **Concurrency:** and **Traps:** as for
  /// `acknowledged(maxTasks:inOrder:extendingEvery:clock:onFailure:onRefusal:after:)`, with batches in the place of deliveries.
  ///
  /// - Parameters:
  ///   - maxTasks: How many batches are worked on at a time.
  ///   - inOrder: Whether results come in the order of the batches.
  ///   - interval: How long after each extension the next one follows; `nil` for half of the shortest deadline.
  ///   - clock: The clock of the interval.
  ///   - onFailure: A closure that decides what happens to the deliveries of a batch whose work has thrown an error.
  ///   - onRefusal: A closure that is called for each delivery that could not be settled or extended.
  ///   - work: A closure that does the work.
  /// - Returns: A publisher of what the work returns.
  @inlinable
  public consuming func acknowledged<Element: Delivery, T: Sendable>(
    maxTasks: Subscribers.Demand = .max(1), inOrder: Bool = false, extendingEvery interval: Duration? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    onFailure: @escaping @Sendable (_ error: any Error, _ batch: [Element]) -> DeliveryDisposition = {
      .backoff(after: $0, attempt: $1.lazy.map(\.attempt).max() ?? 1)
    },
    onRefusal: @escaping @Sendable (_ error: DeliveryError, _ delivery: Element) -> Void = { _, _ in },
    after work: @escaping @Sendable (_ batch: [Element]) async throws -> T
  ) -> Publishers.CompactMap<Publishers.Lifted<T?, Failure>, T> where Output == [Element] {
    checkLimit(maxTasks, of: "acknowledged(maxTasks:)")
    let settling = Settling(interval: interval, clock: clock, onRefusal: onRefusal)
    return lift {
      TaskStage(
        AcknowledgedStarter<Output, [Element], T, Failure>(
          settling, deliveries: latest(of:), onFailure: onFailure, work: work),
        maxTasks: maxTasks, inOrder: inOrder)
    }
    .compactMap { $0 }
  }
}
