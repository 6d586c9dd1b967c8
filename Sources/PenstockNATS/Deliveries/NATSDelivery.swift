// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import CNATS
  public import PenstockConcurrency
  internal import PenstockCore

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
    private let client: NATSClient
    private let confirms: Bool
    private let settlement: Settlement

    internal init(
      _ message: NATSMessage, _ origin: AckSubject, age: Duration, of configuration: ConsumerConfiguration?,
      to pull: Pull
    ) {
      attempt = max(1, origin.attempt - pull.client.untried.count(of: origin))
      let remaining = attempt - origin.attempt
      // As many more attempts as the server still makes; a message that has not been tried is tried before it is set
      // aside.
      maxAttempts = configuration?.maxDeliver.map { limit in limit < 2 ? limit : max(2, limit + remaining) }
      deadline = configuration?.deadline(attempt: origin.attempt)
      self.message = message
      self.origin = origin
      self.age = age
      client = pull.client
      confirms = pull.options.confirmsAcknowledgements
      settlement = Settlement(pull.deliveries.ledger, client.unsettled)
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
    public func ack() async throws(DeliveryError) {
      try await settlement.settle(as: .ack) { () throws(DeliveryError) in
        if !confirms { return try await send(.acknowledgement) }
        do throws(NATSError) {
          // Also in a task that has been cancelled: the work is done nevertheless.
          _ = try await client.replies.answer(report(.acknowledgement), client.options.requestTimeout)
        } catch {
          throw DeliveryError(
            .closed,
            "The server has not confirmed the acknowledgement, and the message may come again: \(error.description)")
        }
      }
    }

    /// Rejects the delivery: it is not done, and is to come again.
    ///
    /// - Parameter delay: The delay until it comes again; `nil` for none.
    public func nak(after delay: Duration?) async throws(DeliveryError) {
      let delay = delay.flatMap { $0 > .zero ? " {\"delay\": \($0.countableNanoseconds)}" : nil }
      try await settle(as: .nak(), .negation + Array((delay ?? "").utf8))
    }

    /// Extends the delivery, because its work takes longer: the deadline begins again.
    ///
    /// After the deadline, by this side's clock, it fails: the server does not report an extension that comes too late.
    public func extend() async throws(DeliveryError) {
      // The server would extend the delivery for whichever consumer has it by now.
      try await settlement.extend(within: deadline) { () throws(DeliveryError) in try await send(Array("+WPI".utf8)) }
    }

    public func terminate() async throws(DeliveryError) { try await settle(as: .terminate, Array("+TERM".utf8)) }

    /// Gives the delivery back untried: it comes again at once.
    ///
    /// The server counts the attempt nevertheless; the connection remembers, as long as it lives, that it was not an
    /// attempt. A consumer that gets the message by another connection sees the server's number.
    public func giveBack() async throws(DeliveryError) {
      // Noted first: the message may be back before the call returns.
      client.untried.add(origin)
      try await settle(as: nil, .negation)
    }

    /// Gives the delivery back without waiting for that.
    internal func drop() {
      if client.events.isClosed { return }
      settlement.drop {
        client.untried.add(origin)
        post(.negation)
      }
    }

    // MARK: Reports to the server

    private func settle(as disposition: DeliveryDisposition?, _ body: [UInt8]) async throws(DeliveryError) {
      try await settlement.settle(as: disposition) { () throws(DeliveryError) in try await send(body) }
    }

    private func send(_ body: [UInt8]) async throws(DeliveryError) {
      if client.events.isClosed {
        throw DeliveryError(.closed, "The connection is closed: the message comes again after its deadline.")
      }
      if client.events.isConnected { return post(body) }
      // The client keeps it until the connection is made again, as long as it has room.
      let status = await client.writer.publishNow(report(body))
      if status == NATS_OK { return }
      let error = NATSError(status, "Can't say what has become of the message")
      throw DeliveryError(.closed, "\(error.description) It comes again after its deadline.")
    }

    /// Sends a report about the delivery after the call has returned: a refusal is then counted, and is a state of the
    /// connection.
    private func post(_ body: [UInt8]) {
      let report = report(body)
      client.writer.publish(report) { [client, settlement] status in
        settlement.noteRefusal()
        client.events.noteUnsent(report.subject, status)
      }
    }

    private func report(_ body: [UInt8]) -> Outgoing { Outgoing(subject: message.reply ?? "", payload: body) }
  }

  /// The reports that nearly every message needs, made once.
  extension [UInt8] {
    fileprivate static let acknowledgement = Array("+ACK".utf8)
    fileprivate static let negation = Array("-NAK".utf8)
  }
#endif
