// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import PenstockConcurrency
  internal import PenstockCore

  /// Passes the messages of a subject to a subscriber.
  internal final class SubjectFeed: PushFeed {
    private let client: NATSClient
    private let pattern: String
    private let group: String?
    private let subscription = Guarded<ClientSubscription?>(nil)
    private let ending = Cancellation()

    internal init(_ client: NATSClient, _ pattern: String, _ group: String?) {
      self.client = client
      self.pattern = pattern
      self.group = group
    }

    internal func start(_ messages: PushSource<NATSMessage, NATSError>) {
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
      self.subscription.withLock { $0 = subscription }
      client.events.observers.add(self) { [weak messages] feed, change in feed.clientChanged(change, messages) }
      subscription.open(by: client.writer) { messages.finish(.failure($0)) }
      // At once, if the subscriber has cancelled meanwhile.
      ending.onCancel { [weak self] in
        guard let self else { return }
        self.client.events.observers.remove(self)
        self.close(drains: false)
      }
    }

    internal func streamEnded() { ending.cancel() }

    private func clientChanged(_ change: ClientChange, _ messages: PushSource<NATSMessage, NATSError>?) {
      switch change {
      case .draining: close(drains: true)
      case .denied(let text):
        if text.contains("\"\(pattern)\"") {
          messages?.finish(
            .failure(
              NATSError(.permissions, "The server does not permit it: \(text). See the permissions of the user.")))
        }
      case .closed: withExtendedLifetime(subscription.withLock { $0.take() }) {}
      case .connected, .disconnected: break
      }
    }

    private func close(drains: Bool) {
      subscription.withLock { $0.take() }?.close(by: client.writer, drains: drains)
    }
  }
#endif
