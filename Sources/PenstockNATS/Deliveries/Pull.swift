// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import CNATS
  internal import PenstockConcurrency
  internal import PenstockCore

  /// An owner that ends a pull when nobody holds the owner any more.
  internal final class PullOwner: MessageSource {
    private let pull: Pull

    internal init(_ pull: Pull) { self.pull = pull }

    deinit { pull.end() }

    internal func fetch(_ count: Int) async throws(NATSError) -> [NATSDelivery]? { try await pull.fetch(count) }

    internal func drop(_ delivery: NATSDelivery) { pull.drop(delivery) }
  }

  /// The requests of one subscriber to a consumer, and the messages that have come.
  ///
  /// The server is asked by requests, each for a number of messages. Messages don't say to which request they belong,
  /// so all credit of one inbox is one sum. When credit may be lost, the inbox is given up, and with it all requests
  /// that refer to it: nothing that was asked for before can come to the next inbox.
  internal final class Pull: Sendable {
    internal let link: Link
    internal let stream: String
    internal let role: PullRole
    internal let options: NATSDeliveryOptions
    internal let ledger: CreditLedger
    internal let state: Guarded<PullState>

    internal init(
      _ link: Link, stream: String, _ role: PullRole, _ options: NATSDeliveryOptions, _ ledger: CreditLedger
    ) {
      self.link = link
      self.stream = stream
      self.role = role
      state = Guarded(PullState(consumer: role.name))
      self.options = options
      self.ledger = ledger
      link.events.observers.add(self) { $0.linkChanged($1) }
      // An observer is not told about earlier changes. A pull that begins while the connection is being drained has no
      // messages to end with.
      if link.events.isClosed || link.events.isDraining { fail(Link.closed) }
    }

    /// The name of the consumer: the server makes one for each inbox of an ordered pull.
    internal var consumer: String { state.withLock { $0.consumer } }

    // MARK: Fetching

    /// Tops up the credit, and waits for messages.
    ///
    /// - Returns: The messages that have come, up to that number; none after a cancel; `nil` when the connection is
    ///   drained.
    internal func fetch(_ count: Int) async throws(NATSError) -> [NATSDelivery]? {
      startWatch()
      state.withLock { $0.fetchDate = .now }
      defer { state.withLock { $0.fetchDate = nil } }
      while true {
        let step = state.withLock { $0.next(count) }
        switch step {
        case .deliver(let deliveries): return deliveries
        case .finish: return nil
        case .fail(let error): throw error
        case .stop: return []
        case .open: try await open()
        case .ask(let count, let inbox, let number): ask(for: count, inbox, number)
        case .wait: await wait(for: count)
        }
      }
    }

    private func wait(for count: Int) async {
      await withTaskCancellationHandler {
        await state.suspend { state, waiter in
          // Something may have come since the loop checked.
          guard state.mustWait(for: count) else { return () }
          state.waiter = waiter
          return nil
        }
      } onCancel: {
        wake { $0.isCancelled = true }
      }
    }

    /// Changes the state, and wakes the waiting fetch to check it.
    internal func wake(_ body: (inout PullState) -> Void) {
      let waiter = state.withLock { state in
        body(&state)
        return state.waiter.take()
      }
      waiter?.resume()
    }

    private func ask(for count: Int, _ inbox: String, _ number: Int) {
      ledger.ask(for: count)
      let body =
        "{\"batch\":\(count),\"expires\":\(options.expires.countableNanoseconds),"
        + "\"idle_heartbeat\":\(options.heartbeat.countableNanoseconds),\"max_bytes\":\(options.maxBytes)}"
      // The number of messages is part of the reply's subject, so that the refusal of a request says how many it was
      // for.
      let message = Outgoing(
        subject: "\(link.options.jetStreamPrefix).CONSUMER.MSG.NEXT.\(stream).\(consumer)",
        reply: "\(inbox).\(number)-\(count)", payload: Array(body.utf8))
      // Messages that have not been asked for do not come.
      link.writer.enqueue(.publish(message) { [weak self] _ in self?.loseCredit() })
    }

    // MARK: The end

    /// Gives back the messages that have come and those that are on their way.
    internal func end() {
      link.events.observers.remove(self)
      let (inbox, arrived, watch, credit) = state.withLock { state in
        state.isCancelled = true
        state.needsInbox = true
        return (state.inbox, exchange(&state.arrived, with: []), state.watch.take(), exchange(&state.credit, with: 0))
      }
      ledger.handBack(credit)
      watch?.cancel()
      giveBack(arrived, inbox)
      inbox?.close(on: link)
      forgetConsumer()
    }

    /// Gives back a delivery that can't be delivered, since the stream is over.
    internal func drop(_ delivery: NATSDelivery) {
      end()
      giveBack([delivery], state.withLock { $0.inbox })
    }

    private func giveBack(_ deliveries: [NATSDelivery], _ inbox: PullInbox?) {
      if role.isOrdered { return }
      if let inbox { return inbox.giveBack(deliveries) }
      for delivery in deliveries { delivery.drop() }
    }

    // MARK: The connection

    internal func linkChanged(_ change: LinkChange) {
      switch change {
      case .disconnected: loseCredit()
      case .connected: wake { _ in }
      case .closed: fail(Link.closed)
      case .draining:
        let (inbox, arrived) = state.withLock { ($0.inbox, exchange(&$0.arrived, with: [])) }
        wake { $0.isEnding = true }
        giveBack(arrived, inbox)
        inbox?.close(on: link)
      case .denied(let text):
        // Only requests for messages have subjects with these names.
        if text.contains(".\(stream).\(consumer)\"") {
          fail(NATSError(.permissions, "The server does not permit to pull: \(text). See the permissions of the user."))
        }
      }
    }

    internal func fail(_ error: NATSError) {
      // A stream that is being drained finishes, even if nobody asks for more until the connection is closed.
      wake { if $0.failure == nil, !$0.isEnding { $0.failure = error } }
    }

    /// Gives up the inbox, since messages that were requested with it may never come.
    internal func loseCredit() {
      let (inbox, credit) = state.withLock { state in
        if state.lossDate == nil { state.lossDate = .now }
        state.needsInbox = true
        return (state.inbox, exchange(&state.credit, with: 0))
      }
      ledger.lose(credit)
      inbox?.close(on: link)
      wake { _ in }
    }
  }
#endif
