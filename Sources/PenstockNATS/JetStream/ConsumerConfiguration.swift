// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import PenstockCore

  /// How a durable consumer delivers the messages of a stream to those who pull.
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
    /// With which message a consumer begins.
    public enum DeliverPolicy: Sendable, Hashable {
      /// With the first.
      case all
      /// With the last.
      case last
      /// With those that come from now on.
      case new
      /// With the last one of each subject.
      case lastPerSubject
      /// With the one of a number, or the next one.
      case sequence(UInt64)
      /// With the first one since a date, in the form of RFC 3339: `2026-01-31T12:00:00Z`.
      case time(String)
    }

    /// Which messages have to be acknowledged.
    public enum AckPolicy: String, Sendable, Hashable, Codable {
      /// Each one.
      case explicit
      /// One acknowledges all before it.
      case all
      /// None.
      case none
    }

    /// The name, by which the server remembers what has been acknowledged.
    public var durableName: String
    /// What it is for, in words.
    public var summary: String?
    /// With which message it begins.
    public var deliverPolicy = DeliverPolicy.all
    /// Which messages have to be acknowledged; streams of deliveries need `explicit`.
    public var ackPolicy = AckPolicy.explicit
    /// How long it may take until a delivery is settled, or extended.
    public var ackWait = Duration.seconds(30)
    /// How often a message is delivered; `nil` for as often as it takes.
    ///
    /// After the last time the server says nothing more of it: leave this `nil` where `deadLetter(after:to:)` sets aside what
    /// can't be processed.
    public var maxDeliver: Int?
    /// How long it may take for the first delivery of a message, the second one, and so on, in the place of `ackWait`.
    public var backoff: [Duration] = []
    /// How many deliveries may be unsettled at a time, for all who pull; `nil` for any number.
    public var maxAckPending: Int? = 1_000
    /// The messages that are delivered, with wildcards; `nil` for all of the stream.
    public var filterSubject: String?
    /// How many requests may wait at a time; `nil` for the server's default of 512.
    public var maxWaiting: Int?
    /// How many messages a request may ask for; `nil` for any number.
    public var maxRequestBatch: Int?
    /// How long the consumer is kept while nobody pulls; `nil` for ever.
    public var inactiveThreshold: Duration?
    /// How many servers remember what has been acknowledged; `nil` for as many as keep the stream.
    public var replicas: Int?
    /// Whether that is remembered in memory alone.
    public var isInMemory = false
    /// Whether the server sends by itself: then nobody can pull.
    internal var isPushed: Bool { others.values["deliver_subject"] != nil }
    /// What the server has said besides: written back as it is.
    internal var others = OtherSettings()

    /// Makes a configuration in which everything else is as said above.
    ///
    /// - Parameters:
    ///   - durableName: The name.
    ///   - filterSubject: The messages that are delivered; `nil` for all.
    public init(_ durableName: String, filterSubject: String? = nil) {
      self.durableName = durableName
      self.filterSubject = filterSubject
    }

    /// Whether this, which a server has, is what somebody wants: as far as that says anything.
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

    /// How long it may take until a delivery is settled, by how often the message has been delivered.
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
      try container.encode(durableName, forKey: .durableName)
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
