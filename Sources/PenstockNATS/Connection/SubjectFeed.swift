// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import CNATS
  internal import PenstockConcurrency
  internal import PenstockCore

  /// Passes the messages of a subject to a subscriber.
  internal final class SubjectFeed: PushFeed {
    private struct State {
      var inlet: Inlet?
      weak var messages: PushSource<NATSMessage, NATSError>?
      var isOver = false
    }

    private let link: Link
    private let pattern: String
    private let group: String?
    private let state = Guarded(State())

    internal init(_ link: Link, _ pattern: String, _ group: String?) {
      self.link = link
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
        if link.events.isClosed || link.events.isDraining { throw Link.closed }
      } catch {
        return messages.finish(.failure(error))
      }
      // The inlet holds the messages, which holds this object, until the subscription has ended.
      let inlet = Inlet(
        pattern, queue: group, tally: link.inlets, onMessage: { messages.receive(NATSMessage(copying: $0)) },
        onEnd: { [link] in
          messages.finish(link.events.isDraining ? .finished : .failure(Link.closed))
        })
      let isOver = state.withLock { state in
        if !state.isOver { state.inlet = inlet }
        return state.isOver
      }
      if isOver { return }
      link.events.observers.add(self) { $0.linkChanged($1) }
      link.writer.call { connection in
        let status = inlet.open(connection)
        if status != NATS_OK { messages.finish(.failure(NATSError(status, "Can't subscribe to \(inlet.subject)"))) }
      }
    }

    internal func streamEnded() { close(drains: false, isOver: true) }

    internal func linkChanged(_ change: LinkChange) {
      switch change {
      case .draining: close(drains: true, isOver: false)
      case .denied(let text):
        if text.contains("\"\(pattern)\"") {
          messages?.finish(
            .failure(
              NATSError(.permissions, "The server does not permit it: \(text). See the permissions of the user.")))
        }
      case .closed: withExtendedLifetime(state.withLock { $0.inlet.take() }) {}
      case .connected, .disconnected: break
      }
    }

    private func close(drains: Bool, isOver: Bool) {
      let inlet = state.withLock { state in
        if isOver { state.isOver = true }
        return state.inlet.take()
      }
      if isOver { link.events.observers.remove(self) }
      if let inlet { link.writer.call { _ in inlet.close(drains: drains) } }
    }
  }
#endif
