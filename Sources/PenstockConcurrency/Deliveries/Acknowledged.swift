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
  /// What the work returns is published when the acknowledgement has been accepted. While the work runs, the delivery's
  /// deadline is extended, by default whenever half of it is over. Work that throws gives its delivery back, or does with
  /// it what `onFailure` says, and nothing is published; the stream goes on. So does work that a cancel has cut off. If an
  /// acknowledgement is not accepted, the delivery will come again, and nothing is published for it.
  ///
  /// **Demand:** one more delivery is requested whenever a result has been delivered or a delivery has been given back, so
  /// that no more than `maxTasks` are neither settled nor published. `request(.none)` traps.
  ///
  /// **Completion:** `.finished` when upstream has finished and everything is settled. A cancel cancels the work.
  ///
  /// **Failure:** upstream's, at once; it cancels the work.
  ///
  /// **Concurrency:** each delivery has a task of its own, off every actor unless the closure is isolated. Results come as
  /// the tasks end, one at a time, unless `inOrder` keeps the order of the deliveries.
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
  ///   - work: A closure that does the work.
  /// - Returns: A publisher of what the work returns.
  @inlinable
  public consuming func acknowledged<T: Sendable>(
    maxTasks: Subscribers.Demand = .max(1), inOrder: Bool = false, extendingEvery interval: Duration? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    onFailure: @escaping @Sendable (_ error: any Error, _ delivery: Output) -> DeliveryDisposition = { _, _ in .nak() },
    after work: @escaping @Sendable (_ delivery: Output) async throws -> T
  ) -> Publishers.CompactMap<Publishers.Lifted<T?, Failure>, T> {
    checkLimit(maxTasks, of: "acknowledged(maxTasks:)")
    let settling = Settling(interval: interval, clock: clock)
    return mapAsync(maxTasks: maxTasks, inOrder: inOrder) { delivery async throws(Failure) -> T? in
      await settling.settle(CollectionOfOne(delivery), { onFailure($0, delivery) }) { try await work(delivery) }
    }
    .compactMap { $0 }
  }

  /// Subscribes to a publisher for each delivery, republishes its values, and acknowledges the delivery when it finishes.
  ///
  /// Does what `acknowledged(maxTasks:inOrder:extendingEvery:clock:onFailure:after:)` does, with a publisher as the work: a
  /// delivery is given back when its publisher fails, or is cancelled.
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
  ///   - work: A closure that returns the publisher that does the work.
  /// - Returns: A publisher of what the publishers publish.
  @inlinable
  public consuming func acknowledged<Inner: Publisher>(
    maxPublishers: Subscribers.Demand, extendingEvery interval: Duration? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    onFailure: @escaping @Sendable (_ error: Inner.Failure, _ delivery: Output) -> DeliveryDisposition = { _, _ in
      .nak()
    },
    after work: @escaping (_ delivery: Output) -> Inner
  ) -> Publishers.Lifted<Inner.Output, Failure> {
    checkLimit(maxPublishers, of: "acknowledged(maxPublishers:)")
    let settling = Settling(interval: interval, clock: clock)
    let deliveries = self
    return Publishers.Lifted(
      Deferred {
        let leaving = Leaving()
        return deliveries.flatMap(maxPublishers: maxPublishers) { delivery in
          SettlingPublisher(
            settling: settling, leaving: leaving, delivery: delivery, work: work(delivery), onFailure: onFailure
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
  /// batches. If the work throws, all deliveries of the batch are given back.
  ///
  /// **Demand:**, **Completion:**, **Failure:**, **Concurrency:** and **Traps:** as for
  /// `acknowledged(maxTasks:inOrder:extendingEvery:clock:onFailure:after:)`, with batches in the place of deliveries.
  ///
  /// - Parameters:
  ///   - maxTasks: How many batches are worked on at a time.
  ///   - inOrder: Whether results come in the order of the batches.
  ///   - interval: How long after each extension the next one follows; `nil` for half of the shortest deadline.
  ///   - clock: The clock of the interval.
  ///   - onFailure: A closure that says what becomes of the deliveries of a batch whose work has thrown an error.
  ///   - work: A closure that does the work.
  /// - Returns: A publisher of what the work returns.
  @inlinable
  public consuming func acknowledged<Element: Delivery, T: Sendable>(
    maxTasks: Subscribers.Demand = .max(1), inOrder: Bool = false, extendingEvery interval: Duration? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    onFailure: @escaping @Sendable (_ error: any Error, _ batch: [Element]) -> DeliveryDisposition = { _, _ in .nak() },
    after work: @escaping @Sendable (_ batch: [Element]) async throws -> T
  ) -> Publishers.CompactMap<Publishers.Lifted<T?, Failure>, T> where Output == [Element] {
    checkLimit(maxTasks, of: "acknowledged(maxTasks:)")
    let settling = Settling(interval: interval, clock: clock)
    return mapAsync(maxTasks: maxTasks, inOrder: inOrder) { batch async throws(Failure) -> T? in
      await settling.settle(batch, { onFailure($0, batch) }) { try await work(batch) }
    }
    .compactMap { $0 }
  }
}
