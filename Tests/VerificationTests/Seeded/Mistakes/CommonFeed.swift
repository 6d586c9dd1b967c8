// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: J-06 – the flag that says "connected" is never taken back. It shows when all subscribers have cancelled (the
// upstream is cancelled, as it should be) and another one comes: the upstream is not subscribed again, so the new
// subscriber gets its handshake and then nothing.
// @unchecked Sendable: the lock guards all mutable state.
final class CommonFeed<Upstream: Publisher>: Publisher, @unchecked Sendable {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  private let lock = NSLock()
  private let upstream: Upstream
  private var lines: [FeedLine<Upstream>] = []
  private var intake: FeedIntake<Upstream>?
  private var isConnected = false
  private var ending: Subscribers.Completion<Failure>?

  init(upstream: Upstream) {
    self.upstream = upstream
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let target = AnySubscriber(subscriber)
    let line = lock.withLock { () -> FeedLine<Upstream> in
      let line = FeedLine(feed: self, ending: ending, target: target)
      if ending == nil { lines.append(line) }
      return line
    }
    subscriber.receive(subscription: line)
    line.open()
    let first = lock.withLock { () -> FeedIntake<Upstream>? in
      guard !isConnected, !lines.isEmpty else { return nil }
      isConnected = true
      intake = FeedIntake(feed: self)
      return intake
    }
    if let first { upstream.subscribe(first) }
  }

  fileprivate func publish(_ value: Output, from source: FeedIntake<Upstream>) {
    let current = lock.withLock { intake === source ? lines : [] }
    for line in current { line.offer(value) }
  }

  fileprivate func finish(_ completion: Subscribers.Completion<Failure>, from source: FeedIntake<Upstream>) {
    let current = lock.withLock { () -> [FeedLine<Upstream>] in
      guard intake === source else { return [] }
      ending = completion
      intake = nil
      defer { lines = [] }
      return lines
    }
    for line in current { line.end(completion) }
  }

  fileprivate func remove(_ line: FeedLine<Upstream>) {
    let idle = lock.withLock { () -> FeedIntake<Upstream>? in
      lines.removeAll { $0 === line }
      guard lines.isEmpty else { return nil }
      defer { intake = nil }
      return intake
    }
    idle?.cancel()
  }
}

private final class FeedIntake<Upstream: Publisher>: Subscriber {
  private let lock = NSLock()
  private weak var feed: CommonFeed<Upstream>?
  private var subscription: (any Subscription)?
  private var closed = false

  init(feed: CommonFeed<Upstream>) {
    self.feed = feed
  }

  func receive(subscription: any Subscription) {
    let accepted = lock.withLock { () -> Bool in
      guard !closed, self.subscription == nil else { return false }
      self.subscription = subscription
      return true
    }
    if accepted { subscription.request(.unlimited) } else { subscription.cancel() }
  }

  func receive(_ input: Upstream.Output) -> Subscribers.Demand {
    feed?.publish(input, from: self)
    return .none
  }

  func receive(completion: Subscribers.Completion<Upstream.Failure>) {
    _ = close()
    feed?.finish(completion, from: self)
  }

  func cancel() { close()?.cancel() }

  private func close() -> (any Subscription)? {
    lock.withLock {
      closed = true
      defer { subscription = nil }
      return subscription
    }
  }
}

// Takes a value only if it has been asked for; keeps the feed alive until cancel or completion.
private final class FeedLine<Upstream: Publisher>: Subscription {
  typealias Target = AnySubscriber<Upstream.Output, Upstream.Failure>

  private enum Step {
    case value(Upstream.Output)
    case end(Subscribers.Completion<Upstream.Failure>)
    case pause
  }

  private let lock = NSLock()
  private var feed: CommonFeed<Upstream>?
  private var target: Target?
  private var accepted: [Upstream.Output] = []
  private var ending: Subscribers.Completion<Upstream.Failure>?
  private var demand = Subscribers.Demand.none
  private var busy = true

  init(feed: CommonFeed<Upstream>, ending: Subscribers.Completion<Upstream.Failure>?, target: Target) {
    self.feed = feed
    self.ending = ending
    self.target = target
  }

  func open() {
    lock.withLock { busy = false }
    drain()
  }

  func offer(_ value: Upstream.Output) {
    lock.withLock {
      guard target != nil, demand > .none else { return }
      demand -= 1
      accepted.append(value)
    }
    drain()
  }

  func end(_ completion: Subscribers.Completion<Upstream.Failure>) {
    lock.withLock { ending = completion }
    drain()
  }

  func request(_ demand: Subscribers.Demand) { lock.withLock { self.demand += demand } }

  func cancel() {
    let taken = takeAll()
    if taken.target != nil { taken.feed?.remove(self) }
  }

  private func drain() {
    let begun = lock.withLock { () -> Target? in
      guard !busy, let target else { return nil }
      busy = true
      return target
    }
    guard let target = begun else { return }
    while true {
      switch step() {
      case .value(let value):
        let more = target.receive(value)
        lock.withLock { demand += more }
      case .end(let completion):
        if takeAll().target != nil { target.receive(completion: completion) }
        return
      case .pause:
        return
      }
    }
  }

  private func step() -> Step {
    lock.withLock {
      if target != nil, !accepted.isEmpty { return .value(accepted.removeFirst()) }
      if target != nil, let ending { return .end(ending) }
      busy = false
      return .pause
    }
  }

  private func takeAll() -> (target: Target?, feed: CommonFeed<Upstream>?, values: [Upstream.Output]) {
    lock.withLock {
      defer {
        target = nil
        feed = nil
        accepted = []
      }
      return (target, feed, accepted)
    }
  }
}
