// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockConcurrency
internal import PenstockCore

/// A place where orders are kept until they are done.
///
/// This is all that differs between NATS, Redis and memory: the code that works on orders is written once.
public protocol OrderBook: Sendable {
  associatedtype Item: Delivery<[UInt8]>
  associatedtype Deliveries: DeliveryPublisher where Deliveries.Output == Item

  /// Creates what is missing on the server: a stream, and a group of its consumers.
  func prepare() async throws

  /// Publishes orders; when it returns, the server has promised to keep all of them.
  func publish(_ orders: [Order]) async throws

  /// Publishes the deliveries of a worker.
  func deliveries(worker: String) -> Deliveries

  /// Returns how much is left to do.
  func backlog() async throws -> Backlog

  /// Sends what remains to be sent, and ends the connection.
  func close() async
}

/// How many orders are not done.
public struct Backlog: Sendable, Equatable {
  /// Orders that no worker has.
  public var waiting: Int
  /// Orders that a worker has, or had when it died.
  public var unsettled: Int

  public init(waiting: Int, unsettled: Int) { (self.waiting, self.unsettled) = (waiting, unsettled) }

  public var isEmpty: Bool { waiting == 0 && unsettled == 0 }
}

/// What keeps orders.
public enum Engine: String, Sendable, CaseIterable {
  case nats, redis, memory
}

/// How the orders are kept, for all engines alike.
public struct Terms: Sendable {
  /// How long a worker may take for an order before another one gets it.
  ///
  /// A live worker extends this time.
  public static let deadline = Duration.seconds(2)
  /// How many orders are fetched at a time, at most.
  public static let batch = 1...64
  /// The name of the stream.
  public static let stream = "orders"
  /// The name of the workers' group.
  public static let group = "workers"
}
