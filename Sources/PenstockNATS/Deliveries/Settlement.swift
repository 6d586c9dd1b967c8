// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import CNATS
  internal import PenstockConcurrency
  internal import PenstockCore

  /// The settlement of a delivery: one of its copies settles it, once.
  internal final class Settlement: Sendable {
    /// The content of an acknowledgement; made once, since nearly every message needs one.
    private static let acknowledgement = Array("+ACK".utf8)
    private static let negation = Array("-NAK".utf8)

    private struct State {
      enum Phase {
        case open
        /// The server has been asked to confirm.
        case settling
        case settled
      }

      var phase = Phase.open
      /// The time at which it was delivered, or last extended.
      var lastDate = ContinuousClock.now
    }

    private let link: Link
    private let counts: CreditCounts
    private let origin: AckSubject
    private let reply: String
    private let confirms: Bool
    private let deadline: Duration?
    private let state = Guarded(State())

    internal init(
      _ link: Link, _ counts: CreditCounts, _ origin: AckSubject, reply: String, deadline: Duration?, confirms: Bool
    ) {
      self.deadline = deadline
      self.origin = origin
      self.link = link
      self.counts = counts
      self.reply = reply
      self.confirms = confirms
      counts.change {
        $0.fetched += 1
        $0.inFlight += 1
      }
      link.unsettled.add(1)
    }

    deinit {
      // Nobody can settle it any more.
      if state.withLock({ $0.phase != .settled }) { leave { _ in } }
    }

    private func leave(_ body: (inout NATSDeliveryCounts) -> Void) {
      counts.change {
        $0.inFlight -= 1
        body(&$0)
      }
      link.unsettled.add(-1)
    }

    internal func ack() async throws(DeliveryError) {
      if !confirms { return try await settle(Self.acknowledgement) { $0.acknowledged += 1 } }
      try begin(.settling)
      do throws(NATSError) {
        // Also in a task that has been cancelled: the work is done nevertheless.
        _ = try await link.replies.answer(
          Outgoing(subject: reply, payload: Self.acknowledgement), link.options.requestTimeout)
      } catch {
        // The settlement may be tried again.
        state.withLock { $0.phase = .open }
        throw DeliveryError(
          .closed,
          "The server has not confirmed the acknowledgement, and the message may come again: \(error.description)")
      }
      state.withLock { $0.phase = .settled }
      leave { $0.acknowledged += 1 }
    }

    internal func nak(after delay: Duration?) async throws(DeliveryError) {
      var body = "-NAK"
      if let delay, delay > .zero { body += " {\"delay\": \(delay.countableNanoseconds)}" }
      try await settle(Array(body.utf8)) { $0.givenBack += 1 }
    }

    internal func terminate() async throws(DeliveryError) {
      try await settle(Array("+TERM".utf8)) { $0.terminated += 1 }
    }

    internal func extend() async throws(DeliveryError) {
      let (isOpen, last) = state.withLock { ($0.phase == .open, $0.lastDate) }
      if !isOpen { throw Self.settled }
      let now = ContinuousClock.now
      // The server does not answer, and would extend the delivery for whichever consumer has it by now.
      if let deadline, now - last > deadline {
        throw DeliveryError(
          .expired, "\(deadline) have passed without an extension: the message is, or will be, delivered again.")
      }
      try await send(Array("+WPI".utf8))
      state.withLock { $0.lastDate = now }
    }

    internal func giveBack() async throws(DeliveryError) {
      // Noted first: the message may be back before the call returns.
      link.untried.add(origin)
      try await settle(Self.negation) { $0.givenBack += 1 }
    }

    /// Gives the delivery back without waiting for that.
    internal func drop() {
      if link.events.isClosed || (try? begin(.settled)) == nil { return }
      link.untried.add(origin)
      post(Self.negation)
      leave { $0.givenBack += 1 }
    }

    private func settle(
      _ body: [UInt8], _ count: (inout NATSDeliveryCounts) -> Void
    ) async throws(DeliveryError) {
      try begin(.settled)
      do throws(DeliveryError) {
        try await send(body)
      } catch {
        state.withLock { $0.phase = .open }
        throw error
      }
      leave(count)
    }

    private func begin(_ next: State.Phase) throws(DeliveryError) {
      let isOpen = state.withLock { state in
        if state.phase != .open { return false }
        state.phase = next
        return true
      }
      if !isOpen { throw Self.settled }
    }

    private func send(_ body: [UInt8]) async throws(DeliveryError) {
      if link.events.isClosed {
        throw DeliveryError(.closed, "The connection is closed: the message comes again after its deadline.")
      }
      if link.events.isConnected { return post(body) }
      // The client keeps it until the connection is made again, as long as it has room.
      let status = await link.writer.publishNow(Outgoing(subject: reply, payload: body))
      if status == NATS_OK { return }
      counts.change { $0.refused += 1 }
      let error = NATSError(status, "Can't say what has become of the message")
      throw DeliveryError(.closed, "\(error.description) It comes again after its deadline.")
    }

    /// Sends a report about the delivery after the call has returned: a refusal is then counted, and is a state of the
    /// connection.
    private func post(_ body: [UInt8]) {
      link.writer.enqueue(
        .publish(Outgoing(subject: reply, payload: body)) { [link, counts, reply] status in
          counts.change { $0.refused += 1 }
          link.events.noteUnsent(reply, status)
        })
    }

    private static let settled = DeliveryError(.settled, "The delivery has been settled before: settle each one once.")
  }
#endif
