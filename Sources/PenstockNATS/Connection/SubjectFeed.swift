// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import PenstockConcurrency
  internal import PenstockCore

  /// Passes the messages of a subject to a subscriber.
  internal final class SubjectFeed: PushFeed {
    private struct State {
      var subscription: ClientSubscription?
      weak var messages: PushSource<NATSMessage, NATSError>?
      var isOver = false
    }

    private let client: NATSClient
    private let pattern: String
    private let group: String?
    private let state = Guarded(State())

    internal init(_ client: NATSClient, _ pattern: String, _ group: String?) {
      self.client = client
      self.pattern = pattern
      self.group = group
    }

    internal var messages: PushSource<NATSMessage, NATSError>? {
      get { state.withLock { $0.messages } }
      set { state.withLock { $0.messages = newValue } }
    }

    internal func start() {
      guard let messages else { return }
      do throws(NATSError) {
        try Names.check(pattern: pattern)
        if let group { try Names.check(queue: group) }
        if client.events.isClosed || client.events.isDraining { throw NATSClient.closed }
      } catch {
        return messages.finish(.failure(error))
      }
      // The subscription holds the messages, which holds this object, until the subscription has ended.
      let subscription = ClientSubscription(
        pattern, queue: group, tally: client.subscriptions, onMessage: { messages.receive(NATSMessage(copying: $0)) },
        onEnd: { [client] in
          messages.finish(client.events.isDraining ? .finished : .failure(NATSClient.closed))
        })
      let isOver = state.withLock { state in
        if !state.isOver { state.subscription = subscription }
        return state.isOver
      }
      if isOver { return }
      client.events.observers.add(self) { $0.clientChanged($1) }
      subscription.open(by: client.writer) { messages.finish(.failure($0)) }
    }

    internal func streamEnded() { close(drains: false, isOver: true) }

    internal func clientChanged(_ change: ClientChange) {
      switch change {
      case .draining: close(drains: true, isOver: false)
      case .denied(let text):
        if text.contains("\"\(pattern)\"") {
          messages?.finish(
            .failure(
              NATSError(.permissions, "The server does not permit it: \(text). See the permissions of the user.")))
        }
      case .closed: withExtendedLifetime(state.withLock { $0.subscription.take() }) {}
      case .connected, .disconnected: break
      }
    }

    private func close(drains: Bool, isOver: Bool) {
      let subscription = state.withLock { state in
        if isOver { state.isOver = true }
        return state.subscription.take()
      }
      if isOver { client.events.observers.remove(self) }
      subscription?.close(by: client.writer, drains: drains)
    }
  }
#endif
