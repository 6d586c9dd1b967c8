// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import CNATS
  internal import PenstockConcurrency
  internal import PenstockCore

  extension Pull {
    /// Receives the messages to an inbox, on the client's thread.
    internal func receive(_ message: OpaquePointer, _ inbox: PullInbox) {
      guard let reply = natsMsg_GetReply(message).map({ String(cString: $0) }), let origin = AckSubject(reply) else {
        return receive(status: NATSMessage(copying: message), inbox)
      }
      let delivery = NATSDelivery(
        NATSMessage(copying: message, reply: reply), origin,
        age: max(.zero, .nanoseconds(nats_NowInNanoSeconds() - origin.date)),
        of: state.withLock { $0.configuration }, to: self)
      let (isWanted, isMissing) = state.withLock { state in
        if state.inbox !== inbox || state.needsInbox || state.isOver { return (false, false) }
        if role.isOrdered, !state.isNext(origin) { return (false, true) }
        (state.hasDelivered, state.lastHeard) = (true, .now)
        return (true, false)
      }
      // What is missing comes by another consumer.
      if isMissing { return loseCredit() }
      guard isWanted, let unasked = deliveries.receive(delivery) else { return giveBack(delivery, inbox) }
      if unasked > Self.mostUnasked {
        fail(
          NATSError(.badResponse, "The server sends more messages than it has been asked for. Is it a NATS server?"))
      }
    }

    /// The number of unrequested messages that are kept: a few may come when credit has been counted as lost.
    private static let mostUnasked = 1_000

    /// Receives a report of the server about a request.
    private func receive(status message: NATSMessage, _ inbox: PullInbox) {
      guard let status = message.status, state.withLock({ $0.inbox === inbox && !$0.needsInbox }) else { return }
      state.withLock { $0.lastHeard = .now }
      if status == 100 { return }
      let words = message.headers["Description"] ?? ""
      // The rest of the request: the server reports it, or nothing has been delivered for the request.
      let asked = max(0, message.subject.split(separator: "-").last.flatMap { Int($0) } ?? 0)
      let rest = message.headers["Nats-Pending-Messages"].flatMap { Int($0) }.map { min(max(0, $0), asked) } ?? asked
      let text = "The consumer \(consumer) of \(stream) refuses (\(status) \(words))."
      switch status {
      case 409 where words.contains("Deleted"): if role.isOrdered { loseCredit() } else { fail(deleted) }
      // The next message does not fit into the rest of the request's bytes.
      case 409 where words.contains("Size Exceeds") && rest < asked: handBack(rest)
      case 409 where words.contains("Size Exceeds"):
        fail(
          NATSError(
            .limitExceeded, "A message of \(stream) is larger than \(options.maxBytes) bytes: raise `maxBytes`.",
            code: status))
      case 409 where words.contains("MaxRequest"), 400:
        fail(NATSError(.limitExceeded, text + " Ask for less at a time: see `batch` and `expires`.", code: status))
      case 409 where words.contains("push"):
        fail(NATSError(.refused, text + " Create a consumer that is pulled.", code: status))
      case 503: loseCredit()
      case 408, 404: handBack(rest)
      // Too many requests or deliveries wait, the leader has changed, or the server stops: that may change later.
      default: handBack(rest, retryAfter: .milliseconds(250))
      }
    }

    private func handBack(_ credit: Int, retryAfter given: Duration? = nil) {
      if let wait = given ?? state.withLock({ $0.pause }) {
        deliveries.pause()
        Task { [weak self] in
          try? await ContinuousClock().sleep(for: wait.countable)
          self?.deliveries.resume()
        }
      }
      deliveries.handBack(credit)
    }
  }
#endif
