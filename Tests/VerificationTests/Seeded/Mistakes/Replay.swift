// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: J-03 – the values to replay are copied before the handshake, but the subscriber joins the live list only
// after it. A value sent in between (from inside `receive(subscription:)`, or by another thread while that call is held
// open) is in neither: it is missing for this subscriber, though later values arrive. An end sent in between is not
// lost.
final class Replay<Output, Failure: Error>: Subject {
  private let capacity: Int
  private let lock = NSLock()
  private var recent: [Output] = []
  private var completion: Subscribers.Completion<Failure>?
  private var seats: [Seat] = []
  private var upstreams: [any Subscription] = []

  init(capacity: Int) { self.capacity = capacity }

  deinit { upstreams.forEach { $0.cancel() } }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let replayed = lock.withLock { recent }
    let seat = Seat(self, AnySubscriber(subscriber), replaying: replayed)
    subscriber.receive(subscription: seat)
    lock.withLock {
      seat.ending = completion
      if completion == nil, seat.subscriber != nil { seats.append(seat) }
    }
    while seat.serveNext() {}
  }

  func send(_ value: Output) {
    let (seats, _) = lock.withLock { () -> ([Seat], Output?) in
      guard completion == nil else { return ([], nil) }
      recent.append(value)
      for seat in self.seats { seat.queue.append(value) }
      return (self.seats, recent.count > capacity ? recent.removeFirst() : nil)
    }
    seats.forEach { $0.serve() }
  }

  func send(completion: Subscribers.Completion<Failure>) {
    let seats = lock.withLock { () -> [Seat] in
      guard self.completion == nil else { return [] }
      self.completion = completion
      for seat in self.seats { seat.ending = completion }
      defer { self.seats = [] }
      return self.seats
    }
    seats.forEach { $0.serve() }
  }

  func send(subscription: any Subscription) {
    lock.withLock { upstreams.append(subscription) }
    subscription.request(.unlimited)
  }

  private final class Seat: Subscription {
    private let lock: NSLock
    private var subject: Replay?
    var subscriber: AnySubscriber<Output, Failure>?
    var queue: [Output]
    var ending: Subscribers.Completion<Failure>?
    private var demand = Subscribers.Demand.none
    private var isServing = true  // the handshake counts as a delivery

    init(_ subject: Replay, _ subscriber: AnySubscriber<Output, Failure>, replaying queue: [Output]) {
      (self.lock, self.subject, self.subscriber, self.queue) = (subject.lock, subject, subscriber, queue)
    }

    func request(_ more: Subscribers.Demand) {
      lock.withLock { demand += more }
      serve()
    }

    func cancel() {
      _ = lock.withLock { () -> Any in
        defer { (subject, subscriber, queue) = (nil, nil, []) }
        subject?.seats.removeAll { $0 === self }
        return (subject, subscriber, queue)
      }
    }

    func serve() {
      let mayServe = lock.withLock {
        defer { isServing = true }
        return !isServing
      }
      if mayServe { while serveNext() {} }
    }

    func serveNext() -> Bool {
      lock.lock()
      guard let subscriber, queue.isEmpty ? ending != nil : demand > .none else {
        isServing = false
        lock.unlock()
        return false
      }
      if let ending, queue.isEmpty {
        let subject = subject
        (self.subject, self.subscriber) = (nil, nil)
        lock.unlock()
        withExtendedLifetime(subject) { subscriber.receive(completion: ending) }
        return false
      }
      let value = queue.removeFirst()
      demand -= 1
      lock.unlock()
      let extra = subscriber.receive(value)
      lock.withLock { demand += extra }
      return true
    }
  }
}
