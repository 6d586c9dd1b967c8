// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import DequeModule
  internal import PenstockCore

  /// How often messages have been delivered to this connection and given back untried.
  ///
  /// The server counts each delivery, and nobody can tell it otherwise. Those that were tried, or that another connection got,
  /// are forgotten when there are too many.
  internal final class UntriedDeliveries: Sendable {
    private struct Message: Hashable {
      let stream: String
      let consumer: String
      let sequence: UInt64
    }

    private struct State {
      var counts: [Message: Int] = [:]
      /// In the order in which they were given back at first.
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
      // A first delivery has no others behind it, and is nearly every one.
      if origin.attempt < 2 { return 0 }
      let message = Message(stream: origin.stream, consumer: origin.consumer, sequence: origin.streamSequence)
      return state.withLock { $0.counts[message] ?? 0 }
    }
  }
#endif
