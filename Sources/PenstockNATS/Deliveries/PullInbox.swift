// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import PenstockCore

  /// The inbox to which a subscriber's requests refer, and the messages to give back when the inbox is given up.
  ///
  /// A message that is given back while the server still has a request could be the answer to that request, and be
  /// lost: the server sends it to an inbox to which nobody listens any more, and it comes again only after its
  /// deadline. So everything is given back once the server has confirmed that it has forgotten the inbox.
  internal final class PullInbox: Sendable {
    private struct State {
      var returned: [NATSDelivery] = []
      var isOver = false
    }

    internal let name = Replies.makeInbox()
    private let subscription = Guarded<ClientSubscription?>(nil)
    private let state = Guarded(State())

    internal func open(for pull: Pull) {
      let subscription = ClientSubscription(
        name + ".*", tally: pull.client.subscriptions, onMessage: { pull.receive($0, self) }, onEnd: { self.end() })
      self.subscription.withLock { $0 = subscription }
      subscription.open(by: pull.client.writer) { error in
        pull.fail(error)
        self.end()
      }
    }

    /// Makes the server forget all requests that refer to this inbox.
    internal func close(on client: NATSClient) {
      let drains = client.events.isConnected
      guard let subscription = subscription.withLock({ $0.take() }) else { return }
      subscription.close(by: client.writer, drains: drains)
    }

    internal func giveBack(_ delivery: NATSDelivery) {
      let isOver = state.withLock { state in
        if !state.isOver { state.returned.append(delivery) }
        return state.isOver
      }
      if isOver { delivery.drop() }
    }

    private func end() {
      let returned = state.withLock { state in
        state.isOver = true
        return exchange(&state.returned, with: [])
      }
      for delivery in returned { delivery.drop() }
    }
  }
#endif
