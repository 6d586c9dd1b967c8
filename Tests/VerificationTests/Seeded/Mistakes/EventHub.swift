// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: M-01 – a cancel during a delivery leaves the rest to the loop that delivers, and the loop does so only if
// another event waits: a subscriber that cancels inside the last event stays in the hub's list, which keeps it.
final class EventHub<Output, Failure: Error>: Subject {
  private let lock = NSLock()
  private var members: [Member] = []
  private var end: Subscribers.Completion<Failure>?
  private var upstreams: [any Subscription] = []

  deinit { upstreams.forEach { $0.cancel() } }

  func send(_ value: Output) {
    let targets = lock.withLock { end == nil ? members.filter { $0.enqueue(value) } : [] }
    for member in targets { member.run() }
  }

  func send(completion: Subscribers.Completion<Failure>) {
    let last = lock.withLock { () -> ([Member], [any Subscription]) in
      guard end == nil else { return ([], []) }
      end = completion
      for member in members { member.end = completion }
      defer { (members, upstreams) = ([], []) }
      return (members, upstreams)
    }
    for member in last.0 { member.run() }
  }

  func send(subscription: any Subscription) {
    let isOpen = lock.withLock {
      if end == nil { upstreams.append(subscription) }
      return end == nil
    }
    isOpen ? subscription.request(.unlimited) : subscription.cancel()
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let member = Member(AnySubscriber(subscriber), self, lock)
    lock.withLock {
      member.end = end
      if end == nil { members.append(member) }
    }
    subscriber.receive(subscription: member)
    member.join()
  }

  // Under the lock of the hub.
  private final class Member: Subscription {
    private let lock: NSLock
    private weak var hub: EventHub?
    private var subscriber: AnySubscriber<Output, Failure>?
    private var values: [Output] = []
    private var demand = Subscribers.Demand.none  // beyond the values
    private var isCancelled = false
    private var isRunning = true  // until the handshake is over
    var end: Subscribers.Completion<Failure>?

    init(_ subscriber: AnySubscriber<Output, Failure>, _ hub: EventHub, _ lock: NSLock) {
      (self.subscriber, self.hub, self.lock) = (subscriber, hub, lock)
    }

    func enqueue(_ value: Output) -> Bool {
      guard demand > .none, !isCancelled else { return false }
      demand -= 1
      values.append(value)
      return true
    }

    func request(_ more: Subscribers.Demand) { lock.withLock { demand += more } }

    func cancel() {
      let isIdle = lock.withLock {
        isCancelled = true
        return !isRunning
      }
      if isIdle { leave() }
    }

    // Values that it has still to deliver are dropped, too.
    private func leave() {
      let owner = hub
      let old = lock.withLock {
        owner?.members.removeAll { $0 === self }
        defer { (subscriber, values) = (nil, []) }
        return (subscriber, values)
      }
      withExtendedLifetime((owner, old)) {}
    }

    func join() {
      let isToLeave = lock.withLock {
        isRunning = false
        return isCancelled
      }
      if isToLeave { leave() } else { run() }
    }

    func run() {
      lock.lock()
      guard !isRunning else { return lock.unlock() }
      isRunning = true
      while let target = subscriber, !values.isEmpty || end != nil {
        if isCancelled {
          lock.unlock()
          leave()
          lock.lock()
        } else if values.isEmpty, let end {
          subscriber = nil
          lock.unlock()
          target.receive(completion: end)
          lock.lock()
        } else {
          let value = values.removeFirst()
          lock.unlock()
          let more = target.receive(value)
          lock.lock()
          demand += more
        }
      }
      isRunning = false
      lock.unlock()
    }
  }
}
