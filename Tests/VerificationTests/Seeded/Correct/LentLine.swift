// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Correct: one line to upstream for all subscribers, from the handshake of the first one until the cancel of the last
// one or the end; a subscriber that comes afterwards, even inside that end, gets a new line. A subscriber that has not
// asked for a value misses it.
final class LentLine<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  private let upstream: Upstream
  private let lock = NSLock()
  private var users: [User] = []
  private var line: Int?  // its number, from before it is connected
  private var lines = 0
  private var source: (any Subscription)?

  init(_ upstream: Upstream) { self.upstream = upstream }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let user = User(AnySubscriber(subscriber), self, lock)
    let newLine = lock.withLock { () -> Int? in
      users.append(user)
      guard line == nil else { return nil }
      lines += 1
      line = lines
      return lines
    }
    subscriber.receive(subscription: user)
    user.deliver(afterHandshake: true)
    if let newLine, lock.withLock({ line == newLine }) { connect(newLine) }
  }

  private func connect(_ number: Int) {
    upstream.subscribe(
      AnySubscriber<Output, Failure>(
        receiveSubscription: { subscription in
          let isWanted = self.lock.withLock {
            guard self.line == number, self.source == nil else { return false }
            self.source = subscription
            return true
          }
          isWanted ? subscription.request(.unlimited) : subscription.cancel()
        },
        receiveValue: { value in
          let takers = self.lock.withLock {
            self.line == number && self.source != nil ? self.users.filter { $0.take(value) } : []
          }
          takers.forEach { $0.deliver() }
          return .none
        },
        receiveCompletion: { completion in
          let (gone, _) = self.lock.withLock { () -> ([User], (any Subscription)?) in
            guard self.line == number, self.source != nil else { return ([], nil) }
            self.users.forEach { $0.end = completion }
            defer { (self.users, self.line, self.source) = ([], nil, nil) }
            return (self.users, self.source)
          }
          gone.forEach { $0.deliver() }
        }))
  }

  // Under the lock of the publisher.
  private func remove(_ user: User) -> (any Subscription)? {
    guard let place = users.firstIndex(where: { $0 === user }) else { return nil }
    users.remove(at: place)
    guard users.isEmpty else { return nil }
    defer { (line, source) = (nil, nil) }
    return source
  }

  // Under the lock of the publisher.
  private final class User: Subscription {
    private let lock: NSLock
    private var publisher: LentLine?
    private var downstream: AnySubscriber<Output, Failure>?
    private var queue: [Output] = []
    private var demand = Subscribers.Demand.none  // beyond the queue
    private var isDelivering = true  // until the handshake is over
    var end: Subscribers.Completion<Failure>?

    init(_ downstream: AnySubscriber<Output, Failure>, _ publisher: LentLine, _ lock: NSLock) {
      (self.downstream, self.publisher, self.lock) = (downstream, publisher, lock)
    }

    func take(_ value: Output) -> Bool {
      guard demand > .none else { return false }
      demand -= 1
      queue.append(value)
      return true
    }

    func request(_ more: Subscribers.Demand) { lock.withLock { demand += more } }

    func cancel() {
      typealias Old = (publisher: LentLine?, source: (any Subscription)?, AnySubscriber<Output, Failure>?, [Output])
      let old = lock.withLock { () -> Old in
        defer { (publisher, downstream, queue, demand) = (nil, nil, [], .none) }
        return (publisher, publisher?.remove(self), downstream, queue)
      }
      old.source?.cancel()
    }

    func deliver(afterHandshake: Bool = false) {
      let isMine = lock.withLock {
        defer { isDelivering = true }
        return afterHandshake || !isDelivering
      }
      while isMine, let (target, value, _) = lock.withLock({ next() }) {
        guard let value else { return target.receive(completion: end ?? .finished) }
        let more = target.receive(value)
        lock.withLock { demand += more }
      }
    }

    // A value, or nil for the end.
    private func next() -> (AnySubscriber<Output, Failure>, Output?, LentLine?)? {
      guard let target = downstream, !queue.isEmpty || end != nil else {
        isDelivering = false
        return nil
      }
      guard !queue.isEmpty else {
        defer { (downstream, publisher) = (nil, nil) }
        return (target, nil, publisher)
      }
      return (target, queue.removeFirst(), nil)
    }
  }
}
