// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  /// The state of a stream, and its configuration.
  public struct StreamInfo: Sendable, Hashable, Decodable {
    /// The contents of a stream.
    public struct State: Sendable, Hashable, Decodable {
      /// The number of messages that are kept.
      public var messages: Int
      /// The number of bytes of these messages.
      public var bytes: Int
      /// The number of the first message that is kept.
      public var firstSequence: UInt64
      /// The number of the last message that came.
      public var lastSequence: UInt64
      /// The number of consumers.
      public var consumers: Int

      private enum CodingKeys: String, CodingKey {
        case messages, bytes
        case firstSequence = "first_seq"
        case lastSequence = "last_seq"
        case consumers = "consumer_count"
      }
    }

    /// The configuration of the stream.
    public var configuration: StreamConfiguration
    /// The contents of the stream.
    public var state: State

    private enum CodingKeys: String, CodingKey {
      case configuration = "config"
      case state
    }
  }
#endif
