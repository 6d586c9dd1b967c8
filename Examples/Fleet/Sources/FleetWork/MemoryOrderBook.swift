// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockConcurrency
internal import PenstockCore

/// Orders in the memory of one process.
public struct MemoryOrderBook: OrderBook {
  private let queue: DeliveryQueue<[UInt8]>

  public init(capacity: Int = 100_000) { queue = DeliveryQueue(capacity: capacity, deadline: Terms.deadline) }

  public func prepare() {}

  public func publish(_ orders: [Order]) async throws { try await publish(payloads: orders.map(\.payload)) }

  /// Publishes any bytes, for tests with payloads other than orders.
  public func publish(payloads: [[UInt8]]) async throws {
    for payload in payloads { try await queue.publish(payload, subject: Terms.stream) }
  }

  public func deliveries(worker: String) -> QueuedDeliveries<[UInt8]> {
    queue.deliveries(batch: Terms.batch)
  }

  public func backlog() -> Backlog { Backlog(waiting: queue.counts.waiting, unsettled: queue.counts.unsettled) }

  public func close() {}
}
