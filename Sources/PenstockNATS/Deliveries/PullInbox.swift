// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import CNATS
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
    private let inlet = Guarded<Inlet?>(nil)
    private let state = Guarded(State())

    internal func open(for pull: Pull) {
      let inlet = Inlet(
        name + ".*", tally: pull.link.inlets, onMessage: { pull.receive($0, self) }, onEnd: { self.end() })
      self.inlet.withLock { $0 = inlet }
      pull.link.writer.call { connection in
        let status = inlet.open(connection)
        if status == NATS_OK { return }
        pull.fail(NATSError(status, "Can't subscribe to the messages of \(pull.consumer)"))
        self.end()
      }
    }

    /// Makes the server forget all requests that refer to this inbox.
    internal func close(on link: Link) {
      let drains = link.events.isConnected
      guard let inlet = inlet.withLock({ $0.take() }) else { return }
      link.writer.call { _ in inlet.close(drains: drains) }
    }

    internal func giveBack(_ deliveries: [NATSDelivery]) {
      let isOver = state.withLock { state in
        if !state.isOver { state.returned += deliveries }
        return state.isOver
      }
      if isOver { for delivery in deliveries { delivery.drop() } }
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
