// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A bounded queue in memory whose values have to be acknowledged, and come again if they are not.
///
/// It keeps the contract of a broker within one process: for tests of what will run on one, and where a process needs no
/// other. What is published is kept until a delivery of it is acknowledged or terminated. What is given back, or not settled
/// before its deadline, is delivered again, with a higher ``Delivery/attempt``. Who publishes into a full queue waits.
///
/// ```swift
/// let queue = DeliveryQueue<Int>(capacity: 2)
/// async let publishing: Void = { for number in 1...4 { try await queue.publish(number) } }()
/// let doubled = queue.deliveries().acknowledged { delivery in delivery.payload * 2 }
/// for await number in doubled.prefix(4).values { print(number) }
/// try await publishing
/// // Prints "2", "4", "6", "8" on four lines.
/// ```
///
/// Its values do not survive the process. Each is delivered to one subscriber, so that several of them share the work.
///
/// **Concurrency:** everything may be called in any task.
public final class DeliveryQueue<Payload: Sendable>: Sendable {
  @usableFromInline internal let store: DeliveryStore<Payload>

  /// Makes an empty queue.
  ///
  /// **Traps:** a capacity below one, a deadline that is not above zero.
  ///
  /// - Parameters:
  ///   - capacity: How many values it keeps, those that are not settled included.
  ///   - deadline: How long it may take until a delivery is settled or extended.
  ///   - clock: The clock of deadlines and delays.
  public init<C: Clock<Duration>>(
    capacity: Int, deadline: Duration = .seconds(30), clock: C = ContinuousClock()
  ) {
    require(capacity >= 1, of: "DeliveryQueue(capacity:)", rule: "a capacity of at least one", given: capacity)
    require(deadline > .zero, of: "DeliveryQueue(deadline:)", rule: "a deadline above zero", given: deadline)
    store = DeliveryStore(capacity: capacity, deadline: deadline, time: QueueTime(clock))
  }

  /// How many values there are, and what has become of the others.
  public var counts: DeliveryCounts { store.counts }

  /// Publishes a value, as soon as there is room for it.
  ///
  /// When it returns, the value is promised: it will be delivered until somebody settles it.
  ///
  /// - Parameters:
  ///   - payload: The value.
  ///   - subject: Where it is published.
  ///   - headers: What is published beside it.
  /// - Throws: A ``DeliveryError`` if the queue is closed, or the task is cancelled before there is room: then the value has
  ///   not been published.
  public func publish(
    _ payload: Payload, subject: String = "", headers: [String: String] = [:]
  ) async throws(DeliveryError) {
    try await store.publish(.init(payload: payload, subject: subject, headers: headers))
  }

  /// Publishes the values of this queue.
  ///
  /// **Demand:** what has been requested is taken from the queue, and no more, unless `refillAt` reads ahead: see
  /// ``PenstockCore/Publishers/fetching(batch:refillAt:maxCalls:priority:onDrop:_:)``.
  ///
  /// **Completion:** `.finished` when the queue is closed and all its values are settled. What a cancel leaves undelivered is
  /// given back at once, as not tried.
  ///
  /// **Failure:** none.
  ///
  /// **Concurrency:** values are delivered in a task of the subscriber's.
  ///
  /// - Parameters:
  ///   - batch: How many values are taken at a time, at least and at most. With a lower bound above one, what is not requested
  ///     waits, and its deadline runs.
  ///   - lowMark: How many values are left when a batch is read ahead; `nil` to read nothing ahead.
  /// - Returns: A publisher of deliveries, which several subscribers share.
  @inlinable
  public func deliveries(
    batch: ClosedRange<Int> = 1...64, refillAt lowMark: Int? = nil
  ) -> some Publisher<QueuedDelivery<Payload>, Never> & Sendable {
    Publishers.fetching(batch: batch, refillAt: lowMark, onDrop: { $0.drop() }) { [store] count in
      await store.take(count)
    }
  }

  /// Closes the queue: nothing more is published.
  ///
  /// Its publishers finish when everything is settled. Who waits for room gets an error.
  public func finish() { store.finish() }
}

/// A delivery of a ``DeliveryQueue``.
public struct QueuedDelivery<Payload: Sendable>: Delivery {
  private let entry: DeliveryStore<Payload>.Entry
  private let store: DeliveryStore<Payload>
  /// Which delivery of the queue this is; an attempt may have several.
  private let number: Int
  public let attempt: Int
  public let age: Duration

  internal init(
    _ entry: DeliveryStore<Payload>.Entry, _ store: DeliveryStore<Payload>, number: Int, attempt: Int, age: Duration
  ) {
    self.entry = entry
    self.store = store
    self.number = number
    self.attempt = attempt
    self.age = age
  }

  public var payload: Payload { entry.message.payload }
  public var subject: String { entry.message.subject }
  public var headers: [String: String] { entry.message.headers }
  public var messageID: String? { "\(entry.number)" }
  public var deadline: Duration? { store.deadline }

  public func ack() async throws(DeliveryError) { try store.settle(entry, number, .ack) }

  public func nak(after delay: Duration?) async throws(DeliveryError) {
    try store.settle(entry, number, .nak(after: delay))
  }

  public func giveBack() async throws(DeliveryError) { try store.settle(entry, number, nil) }

  public func extend() async throws(DeliveryError) { try store.extend(entry, number) }

  public func terminate() async throws(DeliveryError) { try store.settle(entry, number, .terminate) }

  /// It has been taken, and can't be delivered.
  @usableFromInline
  internal func drop() { try? store.settle(entry, number, nil) }
}
