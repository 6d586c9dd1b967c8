// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Correct: a subject that keeps everything it was ever sent; each subscriber reads the one list at its own pace, so no
// value is lost at demand 0, and a late subscriber gets all values and then the end. Unusual: a value sent from inside
// a delivery, or from two threads, is delivered by the thread that is delivering already, in the order of the list.
final class Ledger<Output, Failure: Error>: Subject {
  private let lock = NSLock()
  private var entries: [Output] = []
  private var end: Subscribers.Completion<Failure>?
  private var readers: [Reader] = []
  private var upstreams: [any Subscription] = []

  deinit { upstreams.forEach { $0.cancel() } }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let reader = Reader(self, AnySubscriber(subscriber))
    lock.withLock { if end == nil { readers.append(reader) } }
    subscriber.receive(subscription: reader)
    while reader.serveNext() {}
  }

  func send(_ value: Output) {
    let readers = lock.withLock { () -> [Reader] in
      guard end == nil else { return [] }
      entries.append(value)
      return self.readers
    }
    readers.forEach { $0.serve() }
  }

  func send(completion: Subscribers.Completion<Failure>) {
    let readers = lock.withLock { () -> [Reader] in
      guard end == nil else { return [] }
      end = completion
      defer { self.readers = [] }
      return self.readers
    }
    readers.forEach { $0.serve() }
  }

  func send(subscription: any Subscription) {
    lock.withLock { upstreams.append(subscription) }
    subscription.request(.unlimited)
  }

  private final class Reader: Subscription {
    private let lock: NSLock
    private var ledger: Ledger?
    private var subscriber: AnySubscriber<Output, Failure>?
    private var position = 0
    private var demand = Subscribers.Demand.none
    private var isServing = true  // the handshake counts as a delivery

    init(_ ledger: Ledger, _ subscriber: AnySubscriber<Output, Failure>) {
      (self.lock, self.ledger, self.subscriber) = (ledger.lock, ledger, subscriber)
    }

    func request(_ more: Subscribers.Demand) {
      lock.withLock { demand += more }
      serve()
    }

    func cancel() {
      let gone = lock.withLock { () -> (Ledger?, AnySubscriber<Output, Failure>?) in
        defer { (ledger, subscriber) = (nil, nil) }
        ledger?.readers.removeAll { $0 === self }
        return (ledger, subscriber)
      }
      withExtendedLifetime(gone) {}
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
      guard let ledger, let subscriber, position < ledger.entries.count ? demand > .none : ledger.end != nil else {
        isServing = false
        lock.unlock()
        return false
      }
      if position == ledger.entries.count, let end = ledger.end {
        (self.ledger, self.subscriber) = (nil, nil)
        lock.unlock()
        withExtendedLifetime(ledger) { subscriber.receive(completion: end) }
        return false
      }
      let value = ledger.entries[position]
      (position, demand) = (position + 1, demand - 1)
      lock.unlock()
      let extra = subscriber.receive(value)
      lock.withLock { demand += extra }
      return withExtendedLifetime(ledger) { true }
    }
  }
}
