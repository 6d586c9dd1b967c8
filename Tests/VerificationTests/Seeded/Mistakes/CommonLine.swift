// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: J-06 – the connection is cancelled with the last subscriber but not forgotten: a subscriber that comes after
// that does not connect again and waits forever. All mutable state is guarded by the lock.
final class CommonLine<Upstream: Publisher>: Publisher, @unchecked Sendable {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure
  private let upstream: Upstream
  private let hub = PassthroughSubject<Output, Failure>()
  private let lock = NSLock()
  private var members = 0
  private var connection: Feeder?

  init(upstream: Upstream) { self.upstream = upstream }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    lock.withLock { members += 1 }
    hub.receive(subscriber: Member(subscriber, self))
    lock.lock()
    guard members > 0, connection == nil else { return lock.unlock() }
    let feeder = Feeder(hub)
    connection = feeder
    lock.unlock()
    upstream.receive(subscriber: feeder)
  }

  private func leave() {
    lock.lock()
    members -= 1
    let idle = members == 0 ? connection : nil
    lock.unlock()
    idle?.cancel()
  }

  // All mutable state is guarded by the lock.
  private final class Feeder: Subscriber, Cancellable, @unchecked Sendable {
    private let lock = NSLock()
    private let hub: PassthroughSubject<Output, Failure>
    private var source: (any Subscription)?
    private var done = false
    init(_ hub: PassthroughSubject<Output, Failure>) { self.hub = hub }

    func receive(subscription: any Subscription) {
      lock.lock()
      guard !done, source == nil else {
        lock.unlock()
        return subscription.cancel()
      }
      source = subscription
      lock.unlock()
      subscription.request(.unlimited)
    }
    func receive(_ input: Output) -> Subscribers.Demand {
      if lock.withLock({ !done && source != nil }) { hub.send(input) }
      return .none
    }
    func receive(completion: Subscribers.Completion<Failure>) {
      guard let old = close() else { return }
      withExtendedLifetime(old) { hub.send(completion: completion) }
    }
    func cancel() { close()?.cancel() }

    private func close() -> (any Subscription)? {
      lock.withLock {
        let old = source
        source = nil
        done = true
        return old
      }
    }
  }

  // All mutable state is guarded by the lock.
  private final class Member<S: Subscriber>: Subscriber, Subscription, @unchecked Sendable
  where S.Input == Output, S.Failure == Failure {
    private let lock = NSLock()
    private var downstream: S?
    private var line: CommonLine?
    private var source: (any Subscription)?
    init(_ downstream: S, _ line: CommonLine) {
      self.downstream = downstream
      self.line = line
    }

    func receive(subscription: any Subscription) {
      lock.lock()
      source = subscription
      let target = downstream
      lock.unlock()
      target?.receive(subscription: self)
    }
    func receive(_ input: Output) -> Subscribers.Demand {
      lock.withLock { downstream }?.receive(input) ?? .none
    }
    func receive(completion: Subscribers.Completion<Failure>) {
      let old = close()
      old.1?.leave()
      old.0?.receive(completion: completion)
    }
    func request(_ demand: Subscribers.Demand) {
      guard demand > .none else { return }
      lock.withLock { source }?.request(demand)
    }
    func cancel() {
      let old = close()
      old.2?.cancel()
      old.1?.leave()
    }

    private func close() -> (S?, CommonLine?, (any Subscription)?) {
      lock.withLock {
        let old = (downstream, line, source)
        (downstream, line, source) = (nil, nil, nil)
        return old
      }
    }
  }
}
