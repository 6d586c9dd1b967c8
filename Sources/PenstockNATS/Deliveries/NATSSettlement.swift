// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import CNATS
  internal import PenstockConcurrency
  internal import PenstockCore

  /// What settles a delivery: the reports to the server, by the subject of its reply.
  internal final class NATSSettlement: Sendable {
    /// The contents of the reports; made once, since nearly every message needs one.
    private static let acknowledgement = Array("+ACK".utf8)
    private static let negation = Array("-NAK".utf8)

    private let link: Link
    private let ledger: CreditLedger
    private let settlement: Settlement
    private let origin: AckSubject
    private let reply: String
    private let confirms: Bool
    private let deadline: Duration?
    /// The time at which it was delivered, or last extended.
    private let lastDate = Guarded(ContinuousClock.now)

    internal init(
      _ link: Link, _ ledger: CreditLedger, _ origin: AckSubject, reply: String, deadline: Duration?, confirms: Bool
    ) {
      self.deadline = deadline
      self.origin = origin
      self.link = link
      self.ledger = ledger
      self.reply = reply
      self.confirms = confirms
      settlement = Settlement(ledger, link.unsettled)
    }

    internal func ack() async throws(DeliveryError) {
      try await settlement.settle(as: .ack) { () throws(DeliveryError) in
        if !confirms { return try await send(Self.acknowledgement) }
        do throws(NATSError) {
          // Also in a task that has been cancelled: the work is done nevertheless.
          _ = try await link.replies.answer(
            Outgoing(subject: reply, payload: Self.acknowledgement), link.options.requestTimeout)
        } catch {
          throw DeliveryError(
            .closed,
            "The server has not confirmed the acknowledgement, and the message may come again: \(error.description)")
        }
      }
    }

    internal func nak(after delay: Duration?) async throws(DeliveryError) {
      var body = "-NAK"
      if let delay, delay > .zero { body += " {\"delay\": \(delay.countableNanoseconds)}" }
      try await settle(Array(body.utf8), as: .nak())
    }

    internal func terminate() async throws(DeliveryError) { try await settle(Array("+TERM".utf8), as: .terminate) }

    internal func extend() async throws(DeliveryError) {
      try settlement.check()
      let (now, last) = (ContinuousClock.now, lastDate.withLock { $0 })
      // The server does not answer, and would extend the delivery for whichever consumer has it by now.
      if let deadline, now - last > deadline {
        throw DeliveryError(
          .expired, "\(deadline) have passed without an extension: the message is, or will be, delivered again.")
      }
      try await send(Array("+WPI".utf8))
      lastDate.withLock { $0 = now }
    }

    internal func giveBack() async throws(DeliveryError) {
      // Noted first: the message may be back before the call returns.
      link.untried.add(origin)
      try await settle(Self.negation, as: nil)
    }

    /// Gives the delivery back without waiting for that.
    internal func drop() {
      if link.events.isClosed { return }
      settlement.drop {
        link.untried.add(origin)
        post(Self.negation)
      }
    }

    private func settle(_ body: [UInt8], as disposition: DeliveryDisposition?) async throws(DeliveryError) {
      try await settlement.settle(as: disposition) { () throws(DeliveryError) in try await send(body) }
    }

    private func send(_ body: [UInt8]) async throws(DeliveryError) {
      if link.events.isClosed {
        throw DeliveryError(.closed, "The connection is closed: the message comes again after its deadline.")
      }
      if link.events.isConnected { return post(body) }
      // The client keeps it until the connection is made again, as long as it has room.
      let status = await link.writer.publishNow(Outgoing(subject: reply, payload: body))
      if status == NATS_OK { return }
      let error = NATSError(status, "Can't say what has become of the message")
      throw DeliveryError(.closed, "\(error.description) It comes again after its deadline.")
    }

    /// Sends a report about the delivery after the call has returned: a refusal is then counted, and is a state of the
    /// connection.
    private func post(_ body: [UInt8]) {
      link.writer.enqueue(
        .publish(Outgoing(subject: reply, payload: body)) { [link, ledger, reply] status in
          ledger.change { $0.refused += 1 }
          link.events.noteUnsent(reply, status)
        })
    }
  }
#endif
