// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockConcurrency
internal import PenstockCore
public import PenstockRedis

/// Orders in a stream of Redis.
public struct RedisOrderBook: OrderBook {
  private let redis: RedisConnection

  public init(port: Int) async throws { redis = try await RedisConnection.connect(to: "127.0.0.1", port: port) }

  public func prepare() async throws { try await redis.makeGroup(stream: Terms.stream, group: Terms.group) }

  public func publish(_ orders: [Order]) async throws {
    let writer = redis.streamSubscriber(to: Terms.stream, failure: Never.self, maxInFlight: 1_000) { (order: Order) in
      StreamMessage(order.payload, id: "\(order.number)")
    }
    orders.publisher.subscribe(writer)
    try await writer.finished()
  }

  public func deliveries(worker: String) -> RedisDeliveries {
    redis.deliveries(
      stream: Terms.stream, group: Terms.group, consumer: worker, deadline: Terms.deadline, batch: Terms.batch)
  }

  public func backlog() async throws -> Backlog {
    let state = try await redis.group(Terms.group, of: Terms.stream)
    return Backlog(waiting: state.waiting ?? 0, unsettled: state.pending)
  }

  public func close() async { await redis.drain(within: .seconds(5)) }
}
