// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Correct: a subject that replays its last value. With demand, nothing is lost and a send made inside a delivery comes
// after it; without demand only the newest value is kept, and goes out with the next demand, before the end.
final class LastKnown<Output, Failure: Error>: Subject {
  private let lock = NSLock()
  private var last: Output?
  private var end: Subscribers.Completion<Failure>?
  private var watchers: [Watcher] = []
  private var sources: [any Subscription] = []

  init() {}

  deinit { sources.forEach { $0.cancel() } }

  func send(_ value: Output) {
    let (open, _, _) = lock.withLock { () -> ([Watcher], [Output?], Output?) in
      guard end == nil else { return ([], [], nil) }
      defer { last = value }
      return (watchers, watchers.map { $0.take(value) }, last)
    }
    open.forEach { $0.deliver() }
  }

  func send(completion: Subscribers.Completion<Failure>) {
    let open = lock.withLock { () -> [Watcher] in
      guard end == nil else { return [] }
      end = completion
      watchers.forEach { $0.end = completion }
      defer { watchers = [] }
      return watchers
    }
    open.forEach { $0.deliver() }
  }

  func send(subscription: any Subscription) {
    let isOpen = lock.withLock { () -> Bool in
      if end == nil { sources.append(subscription) }
      return end == nil
    }
    if isOpen { subscription.request(.unlimited) } else { subscription.cancel() }
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let watcher = Watcher(AnySubscriber(subscriber), self, lock)
    lock.withLock {
      (watcher.kept, watcher.end) = (last, end)
      if end == nil { watchers.append(watcher) }
    }
    subscriber.receive(subscription: watcher)
    watcher.deliver(afterHandshake: true)
  }

  // One subscriber. The lock is the subject's.
  private final class Watcher: Subscription {
    typealias Downstream = AnySubscriber<Output, Failure>
    typealias Live = (downstream: Downstream, subject: LastKnown)

    private let lock: NSLock
    private var live: Live?
    private var demand = Subscribers.Demand.none  // beyond what is queued
    private var queue: [Output] = []
    private var isDelivering = true  // the handshake counts as a delivery
    var kept: Output?  // only without demand
    var end: Subscribers.Completion<Failure>?

    init(_ downstream: Downstream, _ subject: LastKnown, _ lock: NSLock) {
      live = (downstream, subject)
      self.lock = lock
    }

    // With the lock held. Returns the value that is no longer kept.
    func take(_ value: Output) -> Output? {
      guard demand > 0 else {
        defer { kept = value }
        return kept
      }
      demand -= 1
      queue.append(value)
      return nil
    }

    func request(_ more: Subscribers.Demand) {
      lock.withLock { add(more) }
      deliver()
    }

    private func add(_ more: Subscribers.Demand) {
      demand += more
      guard demand > 0, let value = kept else { return }
      demand -= 1
      queue.append(value)
      kept = nil
    }

    func cancel() {
      let gone = lock.withLock { () -> (Live?, [Output], Output?) in
        live?.subject.watchers.removeAll { $0 === self }
        defer { (live, queue, kept) = (nil, [], nil) }
        return (live, queue, kept)
      }
      withExtendedLifetime(gone) {}
    }

    func deliver(afterHandshake: Bool = false) {
      let isMine = lock.withLock { () -> Bool in
        defer { isDelivering = true }
        return afterHandshake || !isDelivering
      }
      while isMine, let (live, value) = lock.withLock({ next() }) {
        guard let value else { return live.downstream.receive(completion: end!) }
        let more = live.downstream.receive(value)
        lock.withLock { add(more) }
      }
    }

    // A value, or `nil` for the end.
    private func next() -> (Live, Output?)? {
      guard let live, !queue.isEmpty || (kept == nil && end != nil) else {
        isDelivering = false
        return nil
      }
      if queue.isEmpty { self.live = nil }
      return (live, queue.isEmpty ? nil : queue.removeFirst())
    }
  }
}
