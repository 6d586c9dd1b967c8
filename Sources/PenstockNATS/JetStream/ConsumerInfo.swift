// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  /// The state of a consumer, and its configuration.
  public struct ConsumerInfo: Sendable, Hashable, Decodable {
    /// A place in the deliveries, and in the stream.
    public struct Place: Sendable, Hashable, Decodable {
      /// The number of deliveries.
      public var consumerSequence: UInt64
      /// The number of the message in its stream.
      public var streamSequence: UInt64

      private enum CodingKeys: String, CodingKey {
        case consumerSequence = "consumer_seq"
        case streamSequence = "stream_seq"
      }
    }

    /// The name of the stream.
    public var stream: String
    /// The name of the consumer.
    public var name: String
    /// The configuration of the consumer.
    public var configuration: ConsumerConfiguration
    /// The last delivery.
    public var delivered: Place
    /// The place up to which everything is acknowledged.
    public var acknowledged: Place
    /// The number of deliveries that are not settled.
    public var unsettled: Int
    /// The number of these that have been delivered before.
    public var redelivered: Int
    /// The number of requests that wait.
    public var waiting: Int
    /// The number of messages that have not been delivered.
    public var pending: Int

    private enum CodingKeys: String, CodingKey {
      case stream = "stream_name"
      case name
      case configuration = "config"
      case delivered
      case acknowledged = "ack_floor"
      case unsettled = "num_ack_pending"
      case redelivered = "num_redelivered"
      case waiting = "num_waiting"
      case pending = "num_pending"
    }
  }
#endif
