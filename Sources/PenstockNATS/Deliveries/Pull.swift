// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import PenstockConcurrency
  internal import PenstockCore

  /// An owner that ends a pull when nobody holds the owner any more.
  internal final class PullOwner: CreditSource {
    private let pull: Pull

    internal init(_ pull: Pull) { self.pull = pull }

    deinit { pull.end() }

    internal func ask(for count: Int) -> Int { pull.ask(for: count) }

    internal func drop(_ delivery: NATSDelivery) { pull.drop(delivery) }
  }

  /// The requests of one subscriber to a consumer, and the inbox to which the messages come.
  ///
  /// The server is asked by requests, each for a number of messages. Messages don't say to which request they belong,
  /// so all credit of one inbox is one sum. When credit may be lost, the inbox is given up, and with it all requests
  /// that refer to it: nothing that was asked for before can come to the next inbox.
  internal final class Pull: Sendable {
    internal let client: NATSClient
    internal let stream: String
    internal let role: PullRole
    internal let options: NATSDeliveryOptions
    /// The subscriber's side.
    internal let deliveries: CreditStream<NATSDelivery, NATSError>
    internal let state: Guarded<PullState>
    /// What ends the task that makes an inbox, and the one that checks whether anything has been heard.
    internal let (opening, watching) = (Cancellation(), Cancellation())

    internal init(
      _ client: NATSClient, stream: String, _ role: PullRole, _ options: NATSDeliveryOptions,
      _ deliveries: CreditStream<NATSDelivery, NATSError>
    ) {
      self.client = client
      self.stream = stream
      self.role = role
      self.options = options
      self.deliveries = deliveries
      state = Guarded(PullState(consumer: role.name))
      client.events.observers.add(self) { $0.clientChanged($1) }
      // An observer is not told about earlier changes. A pull that begins while the connection is being drained has no
      // messages to end with.
      if client.events.isClosed || client.events.isDraining { fail(NATSClient.closed) }
    }

    /// The name of the consumer: the server makes one for each inbox of an ordered pull.
    internal var consumer: String { state.withLock { $0.consumer } }

    // MARK: Asking

    /// Asks the server for messages, or makes an inbox first.
    ///
    /// - Returns: The number of messages that it has been asked for.
    internal func ask(for count: Int) -> Int {
      startWatch()
      let (now, credit) = (ContinuousClock.now, deliveries.credit)
      let request = state.withLock { state -> (count: Int, inbox: PullInbox, number: Int)? in
        guard !state.needsInbox, !state.isOver, let inbox = state.inbox else {
          state.outage.want(at: now)
          return nil
        }
        (state.askDate, state.hasDelivered) = (now, false)
        // The consumer was silent, since it owed nothing.
        if credit <= count { state.lastHeard = now }
        state.number += 1
        return (min(count, state.configuration?.maxRequestBatch ?? .max), inbox, state.number)
      }
      guard let (count, inbox, number) = request else {
        deliveries.pause()
        startOpening()
        return 0
      }
      let body =
        "{\"batch\":\(count),\"expires\":\(options.expires.countableNanoseconds),"
        + "\"idle_heartbeat\":\(options.heartbeat.countableNanoseconds),\"max_bytes\":\(options.maxBytes)}"
      // The number of messages is part of the reply's subject, so that the refusal of a request says how many it was
      // for.
      let message = Outgoing(
        subject: "\(client.options.jetStreamPrefix).CONSUMER.MSG.NEXT.\(stream).\(consumer)",
        reply: "\(inbox.name).\(number)-\(count)", payload: Array(body.utf8))
      // Messages that have not been asked for do not come.
      client.writer.publish(message) { [weak self] _ in self?.loseCredit() }
      return count
    }

    // MARK: The end

    /// Gives back the messages that are on their way.
    internal func end() {
      client.events.observers.remove(self)
      let inbox = state.withLock { state in
        state.isOver = true
        state.needsInbox = true
        return state.inbox
      }
      deliveries.handBack(.max)
      opening.cancel()
      watching.cancel()
      inbox?.close(on: client)
      forgetConsumer()
    }

    /// Gives back a delivery that can't be delivered, since the stream is over.
    internal func drop(_ delivery: NATSDelivery) {
      end()
      giveBack(delivery, state.withLock { $0.inbox })
    }

    internal func giveBack(_ delivery: NATSDelivery, _ inbox: PullInbox?) {
      if role.isOrdered { return }
      if let inbox { inbox.giveBack(delivery) } else { delivery.drop() }
    }

    // MARK: The connection

    internal func clientChanged(_ change: ClientChange) {
      switch change {
      case .disconnected: loseCredit()
      case .connected: break
      case .closed: fail(NATSClient.closed)
      case .draining:
        let inbox = state.withLock { state in
          state.isOver = true
          return state.inbox
        }
        deliveries.drain()
        inbox?.close(on: client)
      case .denied(let text):
        // Only requests for messages have subjects with these names.
        if text.contains(".\(stream).\(consumer)\"") {
          fail(NATSError(.permissions, "The server does not permit to pull: \(text). See the permissions of the user."))
        }
      }
    }

    internal func fail(_ error: NATSError) {
      // A stream that is being drained finishes.
      let isFirst = state.withLock { !exchange(&$0.isOver, with: true) }
      if isFirst { deliveries.fail(error) }
    }

    /// Gives up the inbox, since messages that were requested with it may never come.
    internal func loseCredit() {
      let inbox = state.withLock { state in
        state.outage.begin()
        state.needsInbox = true
        return state.inbox
      }
      inbox?.close(on: client)
      deliveries.loseCredit()
    }
  }
#endif
