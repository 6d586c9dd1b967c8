// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  /// What a stream is, and what is in it.
  public struct StreamInfo: Sendable, Hashable, Decodable {
    /// What is in a stream.
    public struct State: Sendable, Hashable, Decodable {
      /// How many messages are kept.
      public var messages: Int
      /// How many bytes they have.
      public var bytes: Int
      /// The number of the first message that is kept.
      public var firstSequence: UInt64
      /// The number of the last message that came.
      public var lastSequence: UInt64
      /// How many consumers there are.
      public var consumers: Int

      private enum CodingKeys: String, CodingKey {
        case messages, bytes
        case firstSequence = "first_seq"
        case lastSequence = "last_seq"
        case consumers = "consumer_count"
      }
    }

    /// How it is configured.
    public var configuration: StreamConfiguration
    /// What is in it.
    public var state: State

    private enum CodingKeys: String, CodingKey {
      case configuration = "config"
      case state
    }
  }
#endif
