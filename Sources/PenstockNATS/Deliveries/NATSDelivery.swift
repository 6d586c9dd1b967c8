// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  public import PenstockConcurrency

  /// A message of a JetStream consumer, which has to be acknowledged.
  ///
  /// A delivery keeps the connection alive. A consumer that drops a delivery without settling it gets it again, after
  /// its ``deadline``.
  public struct NATSDelivery: Delivery {
    /// The message; its reply is the subject on which it is acknowledged.
    public let message: NATSMessage
    /// The name of the stream.
    public var stream: String { origin.stream }
    /// The name of the consumer.
    public var consumer: String { origin.consumer }
    /// The number of the message in its stream.
    public var sequence: UInt64 { origin.streamSequence }
    /// The number of this delivery by its consumer.
    public var consumerSequence: UInt64 { origin.consumerSequence }
    /// The number of messages that the consumer had left to deliver after this one.
    public var pending: Int { origin.pending }

    public let age: Duration
    public let deadline: Duration?
    private let origin: AckSubject
    private let settlement: NATSSettlement

    internal init(
      _ message: NATSMessage, _ origin: AckSubject, untried: Int, age: Duration, maxDeliver: Int?, deadline: Duration?,
      _ settlement: NATSSettlement
    ) {
      attempt = max(1, origin.attempt - untried)
      // As many more attempts as the server still makes; a message that has not been tried is tried before it is set
      // aside.
      maxAttempts = maxDeliver.map { limit in
        limit < 2 ? limit : max(2, max(1, origin.attempt - untried) + limit - origin.attempt)
      }
      self.message = message
      self.origin = origin
      self.age = age
      self.deadline = deadline
      self.settlement = settlement
    }

    /// The bytes of the message.
    public var payload: [UInt8] { message.payload }
    /// The bytes of the message as text.
    public var text: String { message.text }
    public var subject: String { message.subject }
    public var headers: [String: String] { message.headers }
    public let attempt: Int
    public let maxAttempts: Int?
    /// The stream and the message's number in it.
    public var messageID: String? { "\(stream) \(sequence)" }

    /// Acknowledges the delivery: it is done, and will not come again.
    ///
    /// With ``NATSDeliveryOptions/confirmsAcknowledgements`` the method returns when the server has noted that;
    /// otherwise it returns when the acknowledgement is on its way, and if that is lost, the message comes again.
    public func ack() async throws(DeliveryError) { try await settlement.ack() }

    /// Rejects the delivery: it is not done, and is to come again.
    ///
    /// - Parameter delay: The delay until it comes again; `nil` for none.
    public func nak(after delay: Duration?) async throws(DeliveryError) { try await settlement.nak(after: delay) }

    /// Extends the delivery, because its work takes longer: the deadline begins again.
    ///
    /// After the deadline, by this side's clock, it fails: the server does not report an extension that comes too late.
    public func extend() async throws(DeliveryError) { try await settlement.extend() }

    public func terminate() async throws(DeliveryError) { try await settlement.terminate() }

    /// Gives the delivery back untried: it comes again at once.
    ///
    /// The server counts the attempt nevertheless; the connection remembers, as long as it lives, that it was not an
    /// attempt. A consumer that gets the message by another connection sees the server's number.
    public func giveBack() async throws(DeliveryError) { try await settlement.giveBack() }

    /// Gives the delivery back without waiting for that.
    internal func drop() { settlement.drop() }
  }
#endif
