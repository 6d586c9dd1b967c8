// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Correct: a subject that gives a value to the subscribers that have asked for one when it is sent. Each has a queue,
// from which one thread at a time delivers, so that a value that is sent inside a delivery, or by another thread, comes
// after that delivery.
final class Chime<Output, Failure: Error>: Subject {
  private let lock = NSLock()
  private var seats: [Seat] = []
  private var end: Subscribers.Completion<Failure>?
  private var sources: [any Subscription] = []

  deinit { sources.forEach { $0.cancel() } }

  func send(_ value: Output) {
    let takers = lock.withLock { end == nil ? seats.filter { $0.take(value) } : [] }
    takers.forEach { $0.deliver() }
  }

  func send(completion: Subscribers.Completion<Failure>) {
    let (gone, _) = lock.withLock { () -> ([Seat], [any Subscription]) in
      guard end == nil else { return ([], []) }
      end = completion
      seats.forEach { $0.end = completion }
      defer { (seats, sources) = ([], []) }
      return (seats, sources)
    }
    gone.forEach { $0.deliver() }
  }

  func send(subscription: any Subscription) {
    let isWanted = lock.withLock {
      guard end == nil else { return false }
      sources.append(subscription)
      return true
    }
    isWanted ? subscription.request(.unlimited) : subscription.cancel()
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let seat = Seat(AnySubscriber(subscriber), self)
    lock.withLock {
      if end == nil { seats.append(seat) } else { seat.end = end }
    }
    subscriber.receive(subscription: seat)
    seat.deliver(afterHandshake: true)
  }

  // Under the lock of the subject, which it shares.
  private final class Seat: Subscription {
    private let lock: NSLock
    private weak var chime: Chime?
    private var downstream: AnySubscriber<Output, Failure>?
    private var queue: [Output] = []
    private var demand = Subscribers.Demand.none  // beyond the queue
    private var isDelivering = true  // until the handshake is over
    var end: Subscribers.Completion<Failure>?

    init(_ downstream: AnySubscriber<Output, Failure>, _ chime: Chime) {
      (self.downstream, self.chime, lock) = (downstream, chime, chime.lock)
    }

    func take(_ value: Output) -> Bool {
      guard demand > .none else { return false }
      demand -= 1
      queue.append(value)
      return true
    }

    func request(_ more: Subscribers.Demand) { lock.withLock { demand += more } }

    func cancel() {
      let chime = chime
      let old = lock.withLock {
        chime?.seats.removeAll { $0 === self }
        defer { (downstream, queue, demand) = (nil, [], .none) }
        return (downstream, queue)
      }
      withExtendedLifetime((chime, old)) {}
    }

    func deliver(afterHandshake: Bool = false) {
      let isMine = lock.withLock {
        defer { isDelivering = true }
        return afterHandshake || !isDelivering
      }
      while isMine, let (target, value) = lock.withLock({ next() }) {
        guard let value else { return target.receive(completion: end ?? .finished) }
        let more = target.receive(value)
        lock.withLock { demand += more }
      }
    }

    // A value, or nil for the end.
    private func next() -> (AnySubscriber<Output, Failure>, Output?)? {
      guard let target = downstream, !queue.isEmpty || end != nil else {
        isDelivering = false
        return nil
      }
      guard !queue.isEmpty else {
        downstream = nil
        return (target, nil)
      }
      return (target, queue.removeFirst())
    }
  }
}
