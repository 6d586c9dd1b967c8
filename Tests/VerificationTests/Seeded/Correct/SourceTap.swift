// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Correct: shares one connection, made after the first subscriber's handshake and released with the last subscriber;
// the next one connects again. Once the source has ended it is over for good: later subscribers get that end. A
// subscriber without demand misses values (and holds up nobody); values it has demand for are queued while it is busy.
final class SourceTap<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  private let upstream: Upstream
  private let lock = NSLock()
  private var connection = 0  // what comes from a former one is ignored
  private var source: (any Subscription)?
  private var taps: [Tap] = []
  private var end: Subscribers.Completion<Failure>?

  init(_ upstream: Upstream) { self.upstream = upstream }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let tap = Tap(AnySubscriber(subscriber), self, lock)
    let newConnection = lock.withLock { () -> Int? in
      tap.end = end
      guard end == nil else { return nil }
      taps.append(tap)
      guard taps.count == 1 else { return nil }
      connection += 1
      return connection
    }
    subscriber.receive(subscription: tap)
    tap.deliver(afterHandshake: true)
    if let newConnection, lock.withLock({ isCurrent(newConnection) }) { connect(newConnection) }
  }

  private func isCurrent(_ number: Int) -> Bool { number == connection && !taps.isEmpty }

  private func connect(_ number: Int) {
    upstream.subscribe(
      AnySubscriber<Output, Failure>(
        receiveSubscription: { subscription in
          let isWanted = self.lock.withLock { () -> Bool in
            guard self.isCurrent(number), self.source == nil else { return false }
            self.source = subscription
            return true
          }
          if isWanted { subscription.request(.unlimited) } else { subscription.cancel() }
        },
        receiveValue: { value in
          let taps = self.lock.withLock { () -> [Tap] in
            guard self.isCurrent(number), self.source != nil else { return [] }
            return self.taps.filter { $0.take(value) }
          }
          taps.forEach { $0.deliver() }
          return .none
        },
        receiveCompletion: { completion in
          let (_, taps) = self.lock.withLock { () -> ((any Subscription)?, [Tap]) in
            guard self.isCurrent(number), self.source != nil else { return (nil, []) }
            self.end = completion
            self.taps.forEach { $0.end = completion }
            defer { (self.source, self.taps) = (nil, []) }
            return (self.source, self.taps)
          }
          taps.forEach { $0.deliver() }
        }))
  }

  // One subscriber. The lock is the share's.
  private final class Tap: Subscription {
    typealias Live = (downstream: AnySubscriber<Output, Failure>, share: SourceTap)

    private let lock: NSLock
    private var live: Live?
    private var demand = Subscribers.Demand.none  // beyond what is queued
    private var queue: [Output] = []
    private var isDelivering = true  // the handshake counts as a delivery
    var end: Subscribers.Completion<Failure>?

    init(_ downstream: AnySubscriber<Output, Failure>, _ share: SourceTap, _ lock: NSLock) {
      live = (downstream, share)
      self.lock = lock
    }

    // With the lock held.
    func take(_ value: Output) -> Bool {
      guard demand > 0 else { return false }
      demand -= 1
      queue.append(value)
      return true
    }

    func request(_ more: Subscribers.Demand) { lock.withLock { demand += more } }

    func cancel() {
      let (_, _, source) = lock.withLock { () -> (Live?, [Output], (any Subscription)?) in
        defer { (live, queue) = (nil, []) }
        guard let share = live?.share, share.end == nil else { return (live, queue, nil) }
        share.taps.removeAll { $0 === self }
        guard share.taps.isEmpty else { return (live, queue, nil) }
        defer { share.source = nil }
        return (live, queue, share.source)
      }
      source?.cancel()
    }

    func deliver(afterHandshake: Bool = false) {
      let isMine = lock.withLock { () -> Bool in
        defer { isDelivering = true }
        return afterHandshake || !isDelivering
      }
      while isMine, let (live, value) = lock.withLock({ next() }) {
        guard let value else { return live.downstream.receive(completion: end!) }
        let more = live.downstream.receive(value)
        lock.withLock { demand += more }
      }
    }

    // A value, or `nil` for the end.
    private func next() -> (Live, Output?)? {
      guard let live, !queue.isEmpty || end != nil else {
        isDelivering = false
        return nil
      }
      if queue.isEmpty { self.live = nil }
      return (live, queue.isEmpty ? nil : queue.removeFirst())
    }
  }
}
