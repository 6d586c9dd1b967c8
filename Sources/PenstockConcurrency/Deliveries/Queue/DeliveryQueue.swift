// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// A bounded queue in memory whose values have to be acknowledged, and come again if they are not.
///
/// It keeps the contract of a broker within one process: for tests of code that will use a broker, and for processes
/// that need no other. A published value is kept until a delivery of it is acknowledged or terminated. A value that is
/// given back, or not settled before its deadline, is delivered again, with a higher ``Delivery/attempt``. A caller
/// that publishes into a full queue waits.
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

  /// Creates an empty queue.
  ///
  /// **Traps:** a capacity below one, a deadline or a window that is not above zero.
  ///
  /// - Parameters:
  ///   - capacity: How many values it keeps, including those that are not settled.
  ///   - deadline: The time within which a delivery has to be settled or extended.
  ///   - duplicateWindow: How long it remembers the ids of values, so as not to keep one twice.
  ///   - clock: The clock of deadlines and delays.
  public init<C: Clock<Duration>>(
    capacity: Int, deadline: Duration = .seconds(30), duplicateWindow: Duration = .seconds(120),
    clock: C = ContinuousClock()
  ) {
    require(capacity >= 1, of: "DeliveryQueue(capacity:)", rule: "a capacity of at least one", given: capacity)
    require(deadline > .zero, of: "DeliveryQueue(deadline:)", rule: "a deadline above zero", given: deadline)
    require(
      duplicateWindow > .zero, of: "DeliveryQueue(duplicateWindow:)", rule: "a window above zero",
      given: duplicateWindow)
    store = DeliveryStore(
      capacity: capacity, deadline: deadline, duplicateWindow: duplicateWindow, time: QueueTime(clock))
  }

  /// How many values the queue holds, and what has happened to the others.
  public var counts: DeliveryCounts { store.counts }

  /// Publishes a value, as soon as there is room for it.
  ///
  /// When this method returns, the value has been accepted: it will be delivered until it is settled.
  ///
  /// - Parameters:
  ///   - payload: The value.
  ///   - subject: Where it is published.
  ///   - id: A name for it, by which the queue keeps it once within its `duplicateWindow`; `nil` for none.
  ///   - headers: The headers that are published with it.
  /// - Throws: A ``DeliveryError`` if the queue is closed, or the task is cancelled before there is room: then the value has
  ///   not been published.
  public func publish(
    _ payload: Payload, subject: String = "", id: String? = nil, headers: [String: String] = [:]
  ) async throws(DeliveryError) {
    try await store.publish(.init(payload: payload, subject: subject, id: id, headers: headers))
  }

  /// Returns a subscriber that publishes the values that it receives into this queue.
  ///
  /// See ``StreamSubscriber``.
  ///
  /// **Traps:** less than one value on its way.
  ///
  /// - Parameters:
  ///   - subject: Where they are published.
  ///   - failure: The failure of the publisher, if the compiler does not know it yet.
  ///   - maxInFlight: The greatest number of values that wait for room in the queue at a time.
  ///   - message: A closure that makes the message for a value.
  /// - Returns: A subscriber, for one publisher.
  public func streamSubscriber<Value, Failure: Error>(
    to subject: String = "", failure: Failure.Type = Failure.self, maxInFlight: Int = 256,
    message: @escaping @Sendable (_ value: Value) -> StreamMessage<Payload>
  ) -> StreamSubscriber<Value, Failure, DeliveryError> {
    StreamSubscriber(
      maxInFlight: maxInFlight, cancellation: DeliveryError(.cancelled, "The subscriber has been cancelled.")
    ) { [store] value, confirm in
      let message = message(value)
      store.publish(
        .init(payload: message.payload, subject: subject, id: message.id, headers: message.headers), confirm)
    }
  }

  /// Publishes the values of this queue.
  ///
  /// **Demand:** as many values as have been requested are taken from the queue, and no more, unless `refillAt` reads
  /// ahead: see ``PenstockCore/Publishers/fetching(batch:refillAt:maxCalls:priority:onDrop:_:)``.
  ///
  /// **Completion:** `.finished` when the queue is closed and all its values are settled. Values that a cancel leaves
  /// undelivered are given back at once, as not tried.
  ///
  /// **Failure:** none.
  ///
  /// **Concurrency:** values are delivered in a task of the subscriber's.
  ///
  /// - Parameters:
  ///   - batch: The minimum and maximum number of values that are taken at a time. With a lower bound above one, values
  ///     that are not requested wait, and their deadlines run.
  ///   - lowMark: The number of values left at which a batch is read ahead; `nil` to read nothing ahead.
  /// - Returns: A publisher of deliveries, which several subscribers share, with counts of them.
  public func deliveries(batch: ClosedRange<Int> = 1...64, refillAt lowMark: Int? = nil) -> QueuedDeliveries<Payload> {
    QueuedDeliveries(batch: batch, refillAt: lowMark) { [store] in QueueSource(store: store, ledger: $0) }
  }

  /// Closes the queue: nothing more is published.
  ///
  /// Its publishers finish when everything is settled. A caller that waits for room gets an error.
  public func finish() { store.finish() }

  /// Ends the streams of the queue's deliveries, and closes the queue.
  ///
  /// Streams take no more, and finish; their deliveries may be settled, and the method waits for that. Nothing more is
  /// published. Values that have not been settled then stay in the queue: ``DeliveryCounts/waiting`` counts them.
  ///
  /// - Parameter limit: How long settling deliveries may take.
  public func drain(within limit: Duration = .seconds(30)) async { await store.drain(until: .now + limit.countable) }
}

/// A publisher of the values of a ``DeliveryQueue``.
public typealias QueuedDeliveries<Payload: Sendable> = FetchedMessages<QueuedDelivery<Payload>, Never>

/// The values of a queue for one subscriber.
private struct QueueSource<Payload: Sendable>: MessageSource {
  let store: DeliveryStore<Payload>
  let ledger: CreditLedger

  func fetch(_ count: Int) async -> [QueuedDelivery<Payload>]? { await store.take(count, ledger) }

  func drop(_ delivery: QueuedDelivery<Payload>) { delivery.drop() }
}

/// A delivery of a ``DeliveryQueue``.
public struct QueuedDelivery<Payload: Sendable>: Delivery {
  private let entry: DeliveryStore<Payload>.Entry
  private let store: DeliveryStore<Payload>
  private let settlement: Settlement
  /// The number of this delivery in the queue; an attempt may have several.
  private let number: Int
  public let attempt: Int
  public let age: Duration

  internal init(
    _ entry: DeliveryStore<Payload>.Entry, _ store: DeliveryStore<Payload>, _ settlement: Settlement, number: Int,
    attempt: Int, age: Duration
  ) {
    self.entry = entry
    self.store = store
    self.settlement = settlement
    self.number = number
    self.attempt = attempt
    self.age = age
  }

  public var payload: Payload { entry.message.payload }
  public var subject: String { entry.message.subject }
  public var headers: [String: String] { entry.message.headers }
  public var messageID: String? { "\(entry.number)" }
  public var deadline: Duration? { store.deadline }

  public func ack() async throws(DeliveryError) { try await settle(as: .ack) }

  public func nak(after delay: Duration?) async throws(DeliveryError) { try await settle(as: .nak(after: delay)) }

  public func giveBack() async throws(DeliveryError) { try await settle(as: nil) }

  public func extend() async throws(DeliveryError) {
    try await settlement.extend { () throws(DeliveryError) in try store.extend(entry, number) }
  }

  public func terminate() async throws(DeliveryError) { try await settle(as: .terminate) }

  private func settle(as disposition: DeliveryDisposition?) async throws(DeliveryError) {
    try await settlement.settle(as: disposition) { () throws(DeliveryError) in
      try store.settle(entry, number, disposition)
    }
  }

  /// Gives back a value that has been taken and can't be delivered.
  internal func drop() { settlement.drop { try? store.settle(entry, number, nil) } }
}
