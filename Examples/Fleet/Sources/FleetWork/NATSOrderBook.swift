// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockConcurrency
internal import PenstockCore
public import PenstockNATS

/// Orders in a stream that each of three nodes of NATS keeps.
public struct NATSOrderBook: OrderBook {
  private let nats: NATSConnection

  public init(ports: [Int]) async throws {
    var options = NATSOptions()
    // If a node does not answer, the client moves to another one after two seconds.
    options.pingInterval = .seconds(1)
    options.reconnectWait = .milliseconds(100)
    nats = try await NATSConnection.connect(to: ports.map { "nats://127.0.0.1:\($0)" }, options: options)
  }

  public func prepare() async throws {
    var stream = StreamConfiguration(Terms.stream, subjects: [Terms.stream])
    stream.replicas = 3
    try await nats.createStream(stream)
    var consumer = ConsumerConfiguration(Terms.group)
    consumer.ackWait = Terms.deadline
    try await nats.createConsumer(consumer, stream: Terms.stream)
  }

  public func publish(_ orders: [Order]) async throws {
    let writer = nats.streamSubscriber(to: Terms.stream, failure: Never.self, maxInFlight: 1_000) { (order: Order) in
      // With the id, the stream recognises an order that is published again because no answer arrived.
      StreamMessage(order.payload, id: "\(order.number)")
    }
    orders.publisher.subscribe(writer)
    try await writer.finished()
  }

  public func deliveries(worker: String) -> NATSDeliveries {
    var options = NATSDeliveryOptions()
    options.heartbeat = .milliseconds(500)
    return nats.deliveries(stream: Terms.stream, consumer: Terms.group, batch: Terms.batch, options: options)
  }

  public func backlog() async throws -> Backlog {
    let info = try await nats.consumerInfo(Terms.group, stream: Terms.stream)
    return Backlog(waiting: info.pending, unsettled: info.unsettled)
  }

  public func close() async { await nats.drain(within: .seconds(5)) }
}
