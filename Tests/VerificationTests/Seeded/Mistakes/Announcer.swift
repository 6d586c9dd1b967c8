// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: J-04 – the subject keeps the subscriber that is just being attached: a second subscriber that comes inside
// the first one's receive(subscription:) takes its place, and the first one, which nobody opens any more, gets nothing.
final class Announcer<Output, Failure: Error>: Subject {
  private let lock = NSLock()
  private var listeners: [Listener] = []
  private var newcomer: Listener?
  private var completion: Subscribers.Completion<Failure>?
  private var feeds: [any Subscription] = []

  deinit { feeds.forEach { $0.cancel() } }

  func send(_ value: Output) {
    lock.lock()
    let current = completion == nil ? listeners.filter { $0.accept(value) } : []
    lock.unlock()
    for listener in current { listener.drain() }
  }

  func send(completion: Subscribers.Completion<Failure>) {
    lock.lock()
    guard self.completion == nil else { return lock.unlock() }
    self.completion = completion
    let (last, old) = (listeners, feeds)
    (listeners, feeds) = ([], [])
    for listener in last { listener.completion = completion }
    lock.unlock()
    for listener in last { listener.drain() }
    withExtendedLifetime(old) {}
  }

  func send(subscription: any Subscription) {
    lock.lock()
    let isOver = completion != nil
    if !isOver { feeds.append(subscription) }
    lock.unlock()
    if isOver { subscription.cancel() } else { subscription.request(.unlimited) }
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let listener = Listener(AnySubscriber(subscriber), self, lock)
    lock.lock()
    newcomer = listener
    if completion == nil { listeners.append(listener) } else { listener.completion = completion }
    lock.unlock()
    subscriber.receive(subscription: listener)
    admit()
  }

  private func admit() {
    lock.lock()
    let admitted = newcomer
    newcomer = nil
    admitted?.isDraining = false
    lock.unlock()
    admitted?.drain()
  }

  // Under the lock of the subject.
  private final class Listener: Subscription {
    private let lock: NSLock
    private weak var announcer: Announcer?
    private var downstream: AnySubscriber<Output, Failure>?
    private var values: [Output] = []
    private var demand = Subscribers.Demand.none  // beyond the values
    var isDraining = true  // until it is admitted
    var completion: Subscribers.Completion<Failure>?

    init(_ downstream: AnySubscriber<Output, Failure>, _ announcer: Announcer, _ lock: NSLock) {
      (self.downstream, self.announcer, self.lock) = (downstream, announcer, lock)
    }

    func accept(_ value: Output) -> Bool {
      guard demand > .none else { return false }
      demand -= 1
      values.append(value)
      return true
    }

    func request(_ more: Subscribers.Demand) { lock.withLock { demand += more } }

    func cancel() {
      let owner = announcer
      lock.lock()
      owner?.listeners.removeAll { $0 === self }
      let old = (downstream, values)
      (downstream, values, demand) = (nil, [], .none)
      lock.unlock()
      withExtendedLifetime((owner, old)) {}
    }

    func drain() {
      lock.lock()
      guard !isDraining else { return lock.unlock() }
      isDraining = true
      while let target = downstream, !values.isEmpty || completion != nil {
        if values.isEmpty, let completion {
          downstream = nil
          lock.unlock()
          target.receive(completion: completion)
          lock.lock()
          break
        }
        let value = values.removeFirst()
        lock.unlock()
        let more = target.receive(value)
        lock.lock()
        demand += more
      }
      isDraining = false
      lock.unlock()
    }
  }
}
