// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  /// What a consumer is, and how far it has come.
  public struct ConsumerInfo: Sendable, Hashable, Decodable {
    /// A place in what is delivered, and in the stream.
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

    /// The stream.
    public var stream: String
    /// The name.
    public var name: String
    /// How it is configured.
    public var configuration: ConsumerConfiguration
    /// The last delivery.
    public var delivered: Place
    /// The place up to which everything is acknowledged.
    public var acknowledged: Place
    /// How many deliveries are not settled.
    public var unsettled: Int
    /// How many of them have been delivered before.
    public var redelivered: Int
    /// How many requests wait.
    public var waiting: Int
    /// How many messages have not been delivered.
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
