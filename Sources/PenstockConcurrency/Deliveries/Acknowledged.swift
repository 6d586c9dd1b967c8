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
  /// What the work returns is published when the acknowledgement has been accepted. If it is refused, the delivery will come
  /// again: `onRefusal` hears of it, and nothing is published.
  ///
  /// Work that throws gives its delivery back, and the stream goes on. The delivery comes again after a wait that doubles with
  /// each attempt, from a second to a minute, or that the error names, as a ``RetryAfterError``. With `onFailure` something else
  /// becomes of it: `{ _, _ in .nak() }` has it back at once.
  ///
  /// While the work runs, the deadline is extended, by default whenever half of it is over. If that is refused because somebody
  /// else has the delivery by now, or it has been settled, the work's task is cancelled, its result is not published, and
  /// nothing is settled. What could not be extended before its deadline, for another reason, is extended no more.
  ///
  /// **Demand:** one more delivery is requested whenever a result has been delivered or a delivery has been given back, so
  /// that no more than `maxTasks` are neither settled nor published. `request(.none)` traps.
  ///
  /// **Completion:** `.finished` when upstream has finished and everything is settled. A cancel cancels upstream, and then the
  /// work, so that nothing that is given back comes to this subscriber. Work that then throws `CancellationError` has been cut
  /// off: its delivery is given back at once, as tried, and `onFailure` is not asked. Work that throws something else has failed,
  /// so `onFailure` is asked, also where a client wraps a cancellation into an error of its own. What the work has done
  /// nevertheless is acknowledged. A delivery whose work had not begun is given back as not tried.
  ///
  /// **Failure:** upstream's, at once; it cancels the work.
  ///
  /// **Concurrency:** each delivery has a task of its own, off every actor unless the closure is isolated. Results come as
  /// the tasks end, one at a time, unless `inOrder` keeps the order of the deliveries. One alarm serves all deliveries of a
  /// subscriber: what is extended late costs nothing until then. `onFailure` is called in the task of the work, and `onRefusal`
  /// in any task.
  ///
  /// **Traps:** a `maxTasks` of none, an interval of zero or less.
  ///
  /// Put `deadLetter(after:to:)` before it, or a message that never succeeds comes for ever.
  ///
  /// - Parameters:
  ///   - maxTasks: How many deliveries are worked on at a time.
  ///   - inOrder: Whether results come in the order of the deliveries.
  ///   - interval: How long after each extension the next one follows; `nil` for half of the delivery's deadline.
  ///   - clock: The clock of the interval.
  ///   - onFailure: A closure that says what becomes of a delivery whose work has thrown an error.
  ///   - onRefusal: A closure that is called when a delivery could not be settled, or not be extended.
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
  /// Does what `acknowledged(maxTasks:inOrder:extendingEvery:clock:onFailure:onRefusal:after:)` does, with a publisher as the
  /// work. Its failure is what `onFailure` is asked about, and a publisher that a cancel cuts off has its delivery given back at
  /// once. When somebody else has the delivery, the publisher is cancelled, and nothing is settled.
  ///
  /// **Demand:** that of `flatMap`: `maxPublishers` deliveries are requested, and one more when one has been settled.
  ///
  /// **Completion:** `.finished` when upstream has finished and everything is settled. A cancel cancels the publishers.
  ///
  /// **Failure:** upstream's, at once; it cancels the publishers.
  ///
  /// **Concurrency:** the closure runs where the delivery comes. What the publishers publish is delivered one at a time. A
  /// delivery is given back when a cancel has reached its publisher and upstream, so that it comes to somebody else.
  ///
  /// **Traps:** a `maxPublishers` of none, an interval of zero or less.
  ///
  /// - Parameters:
  ///   - maxPublishers: How many deliveries are worked on at a time.
  ///   - interval: How long after each extension the next one follows; `nil` for half of the delivery's deadline.
  ///   - clock: The clock of the interval.
  ///   - onFailure: A closure that says what becomes of a delivery whose publisher has failed.
  ///   - onRefusal: A closure that is called when a delivery could not be settled, or not be extended.
  ///   - work: A closure that returns the publisher that does the work.
  /// - Returns: A publisher of what the publishers publish.
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
  /// batches. If the work throws, all deliveries of the batch are given back, by default after a wait that doubles with their
  /// highest attempt. The work is cancelled when all deliveries of the batch are lost; what is lost alone is not settled.
  ///
  /// Nothing extends what waits in a batch that is not full, unless `extendingDeadlines(every:clock:onRefusal:)` is before it.
  /// What comes again within a batch, by its ``Delivery/messageID``, is in it once, by its last delivery; those before have
  /// expired, and are not settled.
  ///
  /// **Demand:**, **Completion:**, **Failure:**, **Concurrency:** and **Traps:** as for
  /// `acknowledged(maxTasks:inOrder:extendingEvery:clock:onFailure:onRefusal:after:)`, with batches in the place of deliveries.
  ///
  /// - Parameters:
  ///   - maxTasks: How many batches are worked on at a time.
  ///   - inOrder: Whether results come in the order of the batches.
  ///   - interval: How long after each extension the next one follows; `nil` for half of the shortest deadline.
  ///   - clock: The clock of the interval.
  ///   - onFailure: A closure that says what becomes of the deliveries of a batch whose work has thrown an error.
  ///   - onRefusal: A closure that is called for each delivery that could not be settled, or not be extended.
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
