// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  public import PenstockConcurrency

  /// A message of a JetStream consumer, which has to be acknowledged.
  ///
  /// It holds the connection. Who forgets it without settling it gets it again, after its ``deadline``.
  public struct NATSDelivery: Delivery {
    /// The message; its reply is where it is acknowledged.
    public let message: NATSMessage
    /// The name of the stream.
    public var stream: String { origin.stream }
    /// The name of the consumer.
    public var consumer: String { origin.consumer }
    /// The number of the message in its stream.
    public var sequence: UInt64 { origin.streamSequence }
    /// The number of this delivery by its consumer.
    public var consumerSequence: UInt64 { origin.consumerSequence }
    /// How many messages the consumer had left to deliver, after this one.
    public var pending: Int { origin.pending }

    public let age: Duration
    public let deadline: Duration?
    private let origin: AckSubject
    private let settlement: Settlement

    internal init(
      _ message: NATSMessage, _ origin: AckSubject, untried: Int, age: Duration, maxDeliver: Int?, deadline: Duration?,
      _ settlement: Settlement
    ) {
      attempt = max(1, origin.attempt - untried)
      // As many more as the server still delivers; a message that has not been tried is, before it is set aside.
      maxAttempts = maxDeliver.map { limit in
        limit < 2 ? limit : max(2, max(1, origin.attempt - untried) + limit - origin.attempt)
      }
      self.message = message
      self.origin = origin
      self.age = age
      self.deadline = deadline
      self.settlement = settlement
    }

    /// The bytes.
    public var payload: [UInt8] { message.payload }
    /// The bytes as text.
    public var text: String { message.text }
    public var subject: String { message.subject }
    public var headers: [String: String] { message.headers }
    public let attempt: Int
    public let maxAttempts: Int?
    /// The stream and the number in it.
    public var messageID: String? { "\(stream) \(sequence)" }

    /// It is done, and will not come again.
    ///
    /// With ``NATSDeliveryOptions/confirmsAcknowledgements`` it returns when the server has noted that; otherwise when
    /// it is on its way, and if it is lost, the message comes again.
    public func ack() async throws(DeliveryError) { try await settlement.ack() }

    /// It is not done, and is to come again.
    ///
    /// - Parameter delay: How much later; `nil` for at once.
    public func nak(after delay: Duration?) async throws(DeliveryError) { try await settlement.nak(after: delay) }

    /// It takes longer: the deadline begins anew.
    ///
    /// After the deadline it fails, by this side's clock: the server says nothing to an extension that comes too late.
    public func extend() async throws(DeliveryError) { try await settlement.extend() }

    public func terminate() async throws(DeliveryError) { try await settlement.terminate() }

    /// It has not been tried: it comes again at once.
    ///
    /// The server counts the attempt nevertheless; the connection remembers that it was none, as long as it lives. Who gets the
    /// message by another connection sees the server's number.
    public func giveBack() async throws(DeliveryError) { try await settlement.giveBack() }

    /// Gives it back where nobody waits for that.
    internal func drop() { settlement.drop() }
  }
#endif
