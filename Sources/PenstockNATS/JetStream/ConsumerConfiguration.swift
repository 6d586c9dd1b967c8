// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import PenstockCore

  /// The configuration of a durable consumer, which delivers the messages of a stream to subscribers that pull.
  ///
  /// Settings of a consumer that have no name here are kept by a configuration that has been read, and written back as they are;
  /// they don't count when two are compared.
  ///
  /// ```swift
  /// var billing = ConsumerConfiguration("billing")
  /// billing.filterSubject = "orders.paid"
  /// billing.ackWait = .seconds(30)
  /// ```
  public struct ConsumerConfiguration: Sendable, Hashable {
    /// The message with which a consumer begins.
    public enum DeliverPolicy: Sendable, Hashable {
      /// The first message.
      case all
      /// The last message.
      case last
      /// The next message that comes.
      case new
      /// The last message of each subject.
      case lastPerSubject
      /// The message with a number, or the next one.
      case sequence(UInt64)
      /// The first message since a date, in the form of RFC 3339: `2026-01-31T12:00:00Z`.
      case time(String)
    }

    /// The messages that have to be acknowledged.
    public enum AckPolicy: String, Sendable, Hashable, Codable {
      /// Each message.
      case explicit
      /// Any message, which acknowledges all before it.
      case all
      /// No message.
      case none
    }

    /// The name, by which the server remembers what has been acknowledged.
    public var durableName: String
    /// The purpose of the consumer, in words.
    public var summary: String?
    /// The message with which it begins.
    public var deliverPolicy = DeliverPolicy.all
    /// The messages that have to be acknowledged; streams of deliveries need `explicit`.
    public var ackPolicy = AckPolicy.explicit
    /// The time until a delivery has to be settled, or extended.
    public var ackWait = Duration.seconds(30)
    /// The greatest number of times that a message is delivered; `nil` for no limit.
    ///
    /// After the last time the server reports nothing more about the message: leave this `nil` if
    /// `deadLetter(after:to:)` sets aside messages that can't be processed.
    public var maxDeliver: Int?
    /// The times until the first, the second and each further delivery of a message has to be settled, in place of
    /// `ackWait`.
    public var backoff: [Duration] = []
    /// The greatest number of unsettled deliveries at a time, for all subscribers that pull together; `nil` for any
    /// number.
    public var maxAckPending: Int? = 1_000
    /// The messages that are delivered, with wildcards; `nil` for all of the stream.
    public var filterSubject: String?
    /// The greatest number of requests that may wait at a time; `nil` for the server's default of 512.
    public var maxWaiting: Int?
    /// The greatest number of messages that a request may ask for; `nil` for any number.
    public var maxRequestBatch: Int?
    /// How long the consumer is kept while nobody pulls; `nil` for no limit.
    public var inactiveThreshold: Duration?
    /// The number of servers that remember what has been acknowledged; `nil` for as many as keep the stream.
    public var replicas: Int?
    /// Whether that is remembered in memory alone.
    public var isInMemory = false
    /// Whether the server sends messages on its own: then nobody can pull.
    internal var isPushed: Bool { others.values["deliver_subject"] != nil }
    /// Other settings that the server has sent: written back as they are.
    internal var others = OtherSettings()

    /// Creates a configuration with the defaults above for everything else.
    ///
    /// - Parameters:
    ///   - durableName: The name.
    ///   - filterSubject: The messages that are delivered; `nil` for all.
    public init(_ durableName: String, filterSubject: String? = nil) {
      self.durableName = durableName
      self.filterSubject = filterSubject
    }

    /// Whether this configuration, which a server has, matches another one that a caller wants, in everything that the
    /// other one sets.
    internal func isWanted(as other: Self) -> Bool {
      func fits<Value: Equatable>(_ path: KeyPath<Self, Value?>) -> Bool {
        other[keyPath: path].map { $0 == self[keyPath: path] } ?? true
      }
      return deliverPolicy == other.deliverPolicy && ackPolicy == other.ackPolicy
        && (ackPolicy == .none || ackWait == other.ackWait || !backoff.isEmpty) && backoff == other.backoff
        && maxDeliver == other.maxDeliver && filterSubject == other.filterSubject && isInMemory == other.isInMemory
        && fits(\.summary) && fits(\.maxAckPending) && fits(\.maxWaiting) && fits(\.maxRequestBatch)
        && fits(\.inactiveThreshold) && fits(\.replicas)
    }

    /// The time until a delivery has to be settled, by the number of times that the message has been delivered.
    package func deadline(attempt: Int) -> Duration? {
      if ackPolicy == .none { return nil }
      if let last = backoff.last { return attempt <= backoff.count ? backoff[max(0, attempt - 1)] : last }
      return ackWait
    }
  }

  extension ConsumerConfiguration: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
      case backoff
      case durableName = "durable_name"
      case name
      case summary = "description"
      case deliverPolicy = "deliver_policy"
      case startSequence = "opt_start_seq"
      case startTime = "opt_start_time"
      case ackPolicy = "ack_policy"
      case ackWait = "ack_wait"
      case maxDeliver = "max_deliver"
      case maxAckPending = "max_ack_pending"
      case filterSubject = "filter_subject"
      case maxWaiting = "max_waiting"
      case maxRequestBatch = "max_batch"
      case inactiveThreshold = "inactive_threshold"
      case replicas = "num_replicas"
      case isInMemory = "mem_storage"
    }

    public func encode(to encoder: any Encoder) throws {
      try others.values.encode(besides: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      // Without a name the server makes one, for a consumer that lives as long as somebody asks.
      if !durableName.isEmpty { try container.encode(durableName, forKey: .durableName) }
      try container.encodeIfPresent(summary, forKey: .summary)
      let policy =
        switch deliverPolicy {
        case .all: "all"
        case .last: "last"
        case .new: "new"
        case .lastPerSubject: "last_per_subject"
        case .sequence: "by_start_sequence"
        case .time: "by_start_time"
        }
      try container.encode(policy, forKey: .deliverPolicy)
      if case .sequence(let number) = deliverPolicy { try container.encode(number, forKey: .startSequence) }
      if case .time(let date) = deliverPolicy { try container.encode(date, forKey: .startTime) }
      try container.encode(ackPolicy, forKey: .ackPolicy)
      if ackPolicy != .none { try container.encode(ackWait.countableNanoseconds, forKey: .ackWait) }
      try container.encode(maxDeliver ?? -1, forKey: .maxDeliver)
      if !backoff.isEmpty { try container.encode(backoff.map(\.countableNanoseconds), forKey: .backoff) }
      try container.encode(maxAckPending ?? -1, forKey: .maxAckPending)
      try container.encodeIfPresent(filterSubject, forKey: .filterSubject)
      try container.encodeIfPresent(maxWaiting, forKey: .maxWaiting)
      try container.encodeIfPresent(maxRequestBatch, forKey: .maxRequestBatch)
      try container.encodeIfPresent(inactiveThreshold?.countableNanoseconds, forKey: .inactiveThreshold)
      try container.encode(replicas ?? 0, forKey: .replicas)
      if isInMemory { try container.encode(true, forKey: .isInMemory) }
    }

    public init(from decoder: any Decoder) throws {
      others.values = try [String: JSONValue](besides: CodingKeys.allCases, in: decoder)
      let container = try decoder.container(keyedBy: CodingKeys.self)
      durableName =
        try container.decodeIfPresent(String.self, forKey: .durableName)
        ?? container.decodeIfPresent(String.self, forKey: .name) ?? ""
      summary = try container.decodeIfPresent(String.self, forKey: .summary)
      switch try container.decodeIfPresent(String.self, forKey: .deliverPolicy) {
      case "last": deliverPolicy = .last
      case "new": deliverPolicy = .new
      case "last_per_subject": deliverPolicy = .lastPerSubject
      case "by_start_sequence":
        deliverPolicy = .sequence(try container.decodeIfPresent(UInt64.self, forKey: .startSequence) ?? 1)
      case "by_start_time":
        deliverPolicy = .time(try container.decodeIfPresent(String.self, forKey: .startTime) ?? "")
      default: deliverPolicy = .all
      }
      ackPolicy = try container.decodeIfPresent(AckPolicy.self, forKey: .ackPolicy) ?? .explicit
      ackWait = try container.limit(.ackWait).map { .nanoseconds($0) } ?? .seconds(30)
      maxDeliver = try container.limit(.maxDeliver)
      backoff = try container.decodeIfPresent([Int64].self, forKey: .backoff)?.map { .nanoseconds($0) } ?? []
      maxAckPending = try container.limit(.maxAckPending)
      filterSubject = try container.decodeIfPresent(String.self, forKey: .filterSubject)
      maxWaiting = try container.limit(.maxWaiting)
      maxRequestBatch = try container.limit(.maxRequestBatch)
      inactiveThreshold = try container.limit(.inactiveThreshold).map { .nanoseconds($0) }
      replicas = try container.limit(.replicas)
      isInMemory = try container.decodeIfPresent(Bool.self, forKey: .isInMemory) ?? false
    }
  }
#endif
