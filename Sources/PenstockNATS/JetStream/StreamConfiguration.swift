// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  /// The configuration of a stream of JetStream: what it keeps, where, and for how long.
  ///
  /// Settings of a stream that have no name here are kept by a configuration that has been read, and written back as they are;
  /// they don't count when two are compared.
  ///
  /// ```swift
  /// var orders = StreamConfiguration("ORDERS", subjects: ["orders.>"])
  /// orders.maxAge = .seconds(7 * 86_400)
  /// orders.duplicateWindow = .seconds(120)
  /// ```
  public struct StreamConfiguration: Sendable, Hashable {
    /// When the server forgets a message.
    public enum Retention: String, Sendable, Hashable, Codable {
      /// When a limit is reached.
      case limits
      /// When all consumers have acknowledged it.
      case interest
      /// When one consumer has acknowledged it: there is one for each subject.
      case workQueue = "workqueue"
    }

    /// Where messages are kept.
    public enum Storage: String, Sendable, Hashable, Codable {
      case file, memory
    }

    /// The message that is given up when a limit is reached.
    public enum Discard: String, Sendable, Hashable, Codable {
      /// The oldest message.
      case old
      /// The new message: its publisher gets an error.
      case new
    }

    /// The name of the stream.
    public var name: String
    /// The subjects that are kept; they may have wildcards.
    public var subjects: [String]
    /// The purpose of the stream, in words.
    public var summary: String?
    /// When the server forgets a message.
    public var retention = Retention.limits
    /// Where messages are kept.
    public var storage = Storage.file
    /// The number of servers that keep each message: 1, 3 or 5.
    public var replicas = 1
    /// The message that is given up when a limit is reached.
    public var discard = Discard.old
    /// How long a message is kept; `nil` for no limit.
    public var maxAge: Duration?
    /// The greatest number of bytes that are kept; `nil` for any number.
    public var maxBytes: Int?
    /// The greatest number of messages that are kept; `nil` for any number.
    public var maxMessages: Int?
    /// The greatest number of messages that are kept for each subject; `nil` for any number.
    public var maxMessagesPerSubject: Int?
    /// The greatest number of bytes of a message; `nil` for what the server takes.
    public var maxMessageSize: Int?
    /// The greatest number of consumers; `nil` for any number.
    public var maxConsumers: Int?
    /// How long the server remembers the ids of messages, so as not to keep one twice; `nil` for two minutes.
    public var duplicateWindow: Duration?
    /// Whether a message may ask the server to forget the messages before it on its subject.
    public var allowsRollup = false
    /// Whether messages can't be deleted.
    public var deniesDelete = false
    /// Other settings that the server has sent: written back as they are.
    internal var others = OtherSettings()

    /// Creates a configuration with the server's defaults for everything else.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - subjects: The subjects that are kept.
    public init(_ name: String, subjects: [String]) {
      self.name = name
      self.subjects = subjects
    }
  }

  extension StreamConfiguration: Codable, Configuration {
    internal static let settings: [Setting<Self>] = [
      .value("name", \.name), .value("subjects", \.subjects), .optional("description", \.summary),
      .value("retention", \.retention), .value("storage", \.storage), .value("num_replicas", \.replicas),
      .value("discard", \.discard), .time("max_age", \.maxAge, none: 0), .limit("max_bytes", \.maxBytes, none: -1),
      .limit("max_msgs", \.maxMessages, none: -1),
      .limit("max_msgs_per_subject", \.maxMessagesPerSubject, none: -1),
      .limit("max_msg_size", \.maxMessageSize, none: -1), .limit("max_consumers", \.maxConsumers, none: -1),
      .time("duplicate_window", \.duplicateWindow), .flag("allow_rollup_hdrs", \.allowsRollup),
      .flag("deny_delete", \.deniesDelete),
    ]

    public init(from decoder: any Decoder) throws {
      let name = try decoder.container(keyedBy: NamedKey.self).decode(String.self, forKey: NamedKey("name"))
      self.init(name, subjects: [])
      try read(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws { try write(to: encoder) }
  }
#endif
