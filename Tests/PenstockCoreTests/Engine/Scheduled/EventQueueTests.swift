// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct EventQueueTests {
  private typealias Queue = EventQueue<Canary, Never>

  /// A stream that delivers nothing: the queue asks it only whether it is closed.
  private let stream = SerialSubscription(
    name: "Stream", acceptsZeroDemand: true, work: SerialSubscription.TypedWork { _, _ in },
    downstream: SubscriberCalls(of: Recorder<Canary, Never>.self))

  @Test func `Events are taken in their order`() {
    let queue = Queue()
    let canaries = [Canary(), Canary()]
    for canary in canaries { #expect(queue.append(.element(canary), of: stream)) }
    for canary in canaries {
      guard case .element(let next) = queue.next(of: stream) else {
        Issue.record("an event is missing")
        return
      }
      #expect(next === canary)
    }
    #expect(queue.next(of: stream) == nil)
  }

  /// A thread that delivers may have found the stream open, and come here after a cancel on another thread has emptied
  /// the queue.
  @Test func `Nothing is kept that comes when the stream has been closed`() {
    var graveyard = Graveyard()
    let queue = Queue()
    #expect(stream.close())
    queue.removeAll(of: stream)
    do {
      var rest = [graveyard.watch(Canary(), "in a run")]
      #expect(!queue.append(.element(graveyard.watch(Canary(), "event")), of: stream))
      #expect(queue.append(upTo: 1, { rest.popLast() }, of: stream) == 0)
      #expect(!queue.replace(with: .element(graveyard.watch(Canary(), "in place")), of: stream))
      #expect(!queue.append(.completion(.finished), of: stream))
    }
    #expect(graveyard.survivors.isEmpty)
    #expect(queue.next(of: stream) == nil)
  }
}
