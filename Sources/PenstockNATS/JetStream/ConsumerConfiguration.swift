// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
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

  extension ConsumerConfiguration: Codable, Configuration {
    internal static let settings: [Setting<Self>] = [
      .optional("name", \.givenName), .optional("durable_name", \.writtenName), .optional("description", \.summary),
      .value("deliver_policy", \.policyName), .optional("opt_start_seq", \.startSequence),
      .optional("opt_start_time", \.startTime), .value("ack_policy", \.ackPolicy),
      .time("ack_wait", \.writtenAckWait), .limit("max_deliver", \.maxDeliver, none: -1), .times("backoff", \.backoff),
      .limit("max_ack_pending", \.maxAckPending, none: -1), .optional("filter_subject", \.filterSubject),
      .limit("max_waiting", \.maxWaiting, none: nil), .limit("max_batch", \.maxRequestBatch, none: nil),
      .time("inactive_threshold", \.inactiveThreshold), .limit("num_replicas", \.replicas, none: 0),
      .flag("mem_storage", \.isInMemory),
    ]

    public init(from decoder: any Decoder) throws {
      self.init("")
      // What a server leaves out has no limit.
      maxAckPending = nil
      try read(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws { try write(to: encoder) }

    // MARK: The settings that depend on others

    /// The name that the server has given to a consumer without a name; it is read only.
    private var givenName: String? {
      get { nil }
      set { durableName = newValue ?? "" }
    }

    /// Without a name the server makes one, for a consumer that lives as long as somebody asks.
    private var writtenName: String? {
      get { durableName.isEmpty ? nil : durableName }
      set { durableName = newValue ?? durableName }
    }

    private var writtenAckWait: Duration? {
      get { ackPolicy == .none ? nil : ackWait }
      set { ackWait = newValue ?? ackWait }
    }

    private var policyName: String {
      get {
        switch deliverPolicy {
        case .all: "all"
        case .last: "last"
        case .new: "new"
        case .lastPerSubject: "last_per_subject"
        case .sequence: "by_start_sequence"
        case .time: "by_start_time"
        }
      }
      set {
        deliverPolicy =
          switch newValue {
          case "last": .last
          case "new": .new
          case "last_per_subject": .lastPerSubject
          case "by_start_sequence": .sequence(1)
          case "by_start_time": .time("")
          default: .all
          }
      }
    }

    private var startSequence: UInt64? {
      get { if case .sequence(let number) = deliverPolicy { number } else { nil } }
      set { if case .sequence = deliverPolicy, let newValue { deliverPolicy = .sequence(newValue) } }
    }

    private var startTime: String? {
      get { if case .time(let date) = deliverPolicy { date } else { nil } }
      set { if case .time = deliverPolicy, let newValue { deliverPolicy = .time(newValue) } }
    }
  }
#endif
