// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import DequeModule
  internal import PenstockCore

  /// The numbers of times that messages have been delivered to this connection and given back untried.
  ///
  /// The server counts each delivery, and cannot be told that it was untried. Messages that were tried meanwhile, or
  /// that another connection got, are forgotten when there are too many.
  internal final class UntriedDeliveries: Sendable {
    private struct Message: Hashable {
      let stream: String
      let consumer: String
      let sequence: UInt64
    }

    private struct State {
      var counts: [Message: Int] = [:]
      /// In the order in which they were first given back.
      var order = Deque<Message>()
    }

    private static let most = 10_000

    private let state = Guarded(State())

    internal func add(_ origin: AckSubject) {
      let message = Message(stream: origin.stream, consumer: origin.consumer, sequence: origin.streamSequence)
      state.withLock { state in
        if state.counts[message] == nil {
          state.order.append(message)
          if state.order.count > Self.most { state.counts[state.order.removeFirst()] = nil }
        }
        state.counts[message, default: 0] += 1
      }
    }

    internal func count(of origin: AckSubject) -> Int {
      // A first delivery, which nearly every one is, has none before it.
      if origin.attempt < 2 { return 0 }
      let message = Message(stream: origin.stream, consumer: origin.consumer, sequence: origin.streamSequence)
      return state.withLock { $0.counts[message] ?? 0 }
    }
  }
#endif
