// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import PenstockCore

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

  extension StreamConfiguration: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
      case name, subjects, retention, storage, discard
      case summary = "description"
      case replicas = "num_replicas"
      case maxAge = "max_age"
      case maxBytes = "max_bytes"
      case maxMessages = "max_msgs"
      case maxMessagesPerSubject = "max_msgs_per_subject"
      case maxMessageSize = "max_msg_size"
      case maxConsumers = "max_consumers"
      case duplicateWindow = "duplicate_window"
      case allowsRollup = "allow_rollup_hdrs"
      case deniesDelete = "deny_delete"
    }

    public func encode(to encoder: any Encoder) throws {
      try others.values.encode(besides: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encode(subjects, forKey: .subjects)
      try container.encodeIfPresent(summary, forKey: .summary)
      try container.encode(retention, forKey: .retention)
      try container.encode(storage, forKey: .storage)
      try container.encode(replicas, forKey: .replicas)
      try container.encode(discard, forKey: .discard)
      try container.encode(maxAge?.countableNanoseconds ?? 0, forKey: .maxAge)
      try container.encode(maxBytes ?? -1, forKey: .maxBytes)
      try container.encode(maxMessages ?? -1, forKey: .maxMessages)
      try container.encode(maxMessagesPerSubject ?? -1, forKey: .maxMessagesPerSubject)
      try container.encode(maxMessageSize ?? -1, forKey: .maxMessageSize)
      try container.encode(maxConsumers ?? -1, forKey: .maxConsumers)
      try container.encodeIfPresent(duplicateWindow?.countableNanoseconds, forKey: .duplicateWindow)
      if allowsRollup { try container.encode(true, forKey: .allowsRollup) }
      if deniesDelete { try container.encode(true, forKey: .deniesDelete) }
    }

    public init(from decoder: any Decoder) throws {
      others.values = try [String: JSONValue](besides: CodingKeys.allCases, in: decoder)
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      subjects = try container.decodeIfPresent([String].self, forKey: .subjects) ?? []
      summary = try container.decodeIfPresent(String.self, forKey: .summary)
      retention = try container.decodeIfPresent(Retention.self, forKey: .retention) ?? .limits
      storage = try container.decodeIfPresent(Storage.self, forKey: .storage) ?? .file
      replicas = try container.decodeIfPresent(Int.self, forKey: .replicas) ?? 1
      discard = try container.decodeIfPresent(Discard.self, forKey: .discard) ?? .old
      maxAge = try container.limit(.maxAge).map { .nanoseconds($0) }
      maxBytes = try container.limit(.maxBytes)
      maxMessages = try container.limit(.maxMessages)
      maxMessagesPerSubject = try container.limit(.maxMessagesPerSubject)
      maxMessageSize = try container.limit(.maxMessageSize)
      maxConsumers = try container.limit(.maxConsumers)
      duplicateWindow = try container.limit(.duplicateWindow).map { .nanoseconds($0) }
      allowsRollup = try container.decodeIfPresent(Bool.self, forKey: .allowsRollup) ?? false
      deniesDelete = try container.decodeIfPresent(Bool.self, forKey: .deniesDelete) ?? false
    }
  }

  extension KeyedDecodingContainer {
    /// A limit, for which the server writes 0 or -1 if there is none.
    internal func limit(_ key: Key) throws -> Int? {
      guard let value = try decodeIfPresent(Int.self, forKey: key), value > 0 else { return nil }
      return value
    }
  }
#endif
