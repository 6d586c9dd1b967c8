// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: J-06 – the state of a connection is cleared after its end has been delivered: a subscriber that comes inside
// that end, as with a retry, is taken for one of the old ones, and gets neither a new connection nor an end.
final class LiveScores<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  private let feed: Upstream
  private let lock = NSLock()
  private var fans: [Fan] = []
  private var connection: Int?  // its number, from before it is made
  private var connections = 0
  private var subscription: (any Subscription)?

  init(_ feed: Upstream) { self.feed = feed }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let fan = Fan(AnySubscriber(subscriber), self, lock)
    lock.lock()
    fans.append(fan)
    let isFirst = connection == nil
    if isFirst {
      connections += 1
      connection = connections
    }
    let number = connections
    lock.unlock()
    subscriber.receive(subscription: fan)
    fan.open()
    guard isFirst, lock.withLock({ connection == number }) else { return }
    feed.subscribe(
      AnySubscriber<Output, Failure>(
        receiveSubscription: { self.connected($0, number) },
        receiveValue: { value in
          self.tell(number) { $0.accept(value) }
          return .none
        },
        receiveCompletion: { completion in
          let isEnd = self.tell(number) { fan in
            fan.end = completion
            return true
          }
          if isEnd { self.clear(number) }
        }))
  }

  private func connected(_ new: any Subscription, _ number: Int) {
    lock.lock()
    let isWanted = connection == number && subscription == nil
    if isWanted { subscription = new }
    lock.unlock()
    if isWanted { new.request(.unlimited) } else { new.cancel() }
  }

  @discardableResult
  private func tell(_ number: Int, _ change: (Fan) -> Bool) -> Bool {
    lock.lock()
    guard connection == number, subscription != nil else {
      lock.unlock()
      return false
    }
    let told = fans.filter(change)
    lock.unlock()
    for fan in told { fan.deliver() }
    return true
  }

  private func clear(_ number: Int) {
    lock.lock()
    guard connection == number else { return lock.unlock() }
    let old = (fans, subscription)
    (fans, connection, subscription) = ([], nil, nil)
    lock.unlock()
    withExtendedLifetime(old) {}
  }

  // Under the lock of the publisher.
  private final class Fan: Subscription {
    private let lock: NSLock
    private var scores: LiveScores?
    private var downstream: AnySubscriber<Output, Failure>?
    private var queue: [Output] = []
    private var demand = Subscribers.Demand.none  // beyond the queue
    private var isDelivering = true  // until the handshake is over
    var end: Subscribers.Completion<Failure>?

    init(_ downstream: AnySubscriber<Output, Failure>, _ scores: LiveScores, _ lock: NSLock) {
      (self.downstream, self.scores, self.lock) = (downstream, scores, lock)
    }

    func accept(_ value: Output) -> Bool {
      guard demand > .none, end == nil else { return false }
      demand -= 1
      queue.append(value)
      return true
    }

    func request(_ more: Subscribers.Demand) { lock.withLock { demand += more } }

    func cancel() {
      lock.lock()
      let old = (scores, downstream, queue)
      (scores, downstream, queue, demand) = (nil, nil, [], .none)
      var source: (any Subscription)?
      if let scores = old.0, end == nil {
        scores.fans.removeAll { $0 === self }
        if scores.fans.isEmpty {
          source = scores.subscription
          (scores.connection, scores.subscription) = (nil, nil)
        }
      }
      lock.unlock()
      withExtendedLifetime(old) { source?.cancel() }
    }

    func open() {
      lock.withLock { isDelivering = false }
      deliver()
    }

    func deliver() {
      lock.lock()
      guard !isDelivering else { return lock.unlock() }
      isDelivering = true
      while let target = downstream, !queue.isEmpty || end != nil {
        if queue.isEmpty, let end {
          let old = scores
          (downstream, scores) = (nil, nil)
          lock.unlock()
          withExtendedLifetime(old) { target.receive(completion: end) }
          lock.lock()
        } else {
          let value = queue.removeFirst()
          lock.unlock()
          let more = target.receive(value)
          lock.lock()
          demand += more
        }
      }
      isDelivering = false
      lock.unlock()
    }
  }
}
