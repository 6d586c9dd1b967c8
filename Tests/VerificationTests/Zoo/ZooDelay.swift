// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore
import PenstockTesting

/// The mistakes of operators that work on a scheduler, each of which breaks one rule.
enum DelayFault: String, CaseIterable, Sendable {
  case endsAtOnce, endsWithoutScheduler, deliversAfterCancel, keepsHeartbeat

  var rule: String {
    switch self {
    case .endsAtOnce, .endsWithoutScheduler: "T-01"
    case .deliversAfterCancel: "T-02"
    case .keepsHeartbeat: "T-04"
    }
  }
}

/// Delivers everything a second later; with or without a mistake.
struct ZooDelay<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let scheduler: VerificationScheduler
  let fault: DelayFault?

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(ZooDelayLink(AnySubscriber(subscriber), scheduler, fault))
  }
}

private final class ZooDelayLink<Input, Failure: Error>: Subscriber, Subscription, CustomStringConvertible {
  private let lock = NSLock()
  private let scheduler: VerificationScheduler
  private let fault: DelayFault?
  private var downstream: AnySubscriber<Input, Failure>?
  private let rogue: AnySubscriber<Input, Failure>
  private var upstream: (any Subscription)?
  private var hasEnded = false
  private var heartbeat: (any Cancellable)?

  init(_ downstream: AnySubscriber<Input, Failure>, _ scheduler: VerificationScheduler, _ fault: DelayFault?) {
    (self.downstream, self.scheduler, self.fault) = (downstream, scheduler, fault)
    rogue = fault == .deliversAfterCancel ? downstream : AnySubscriber()
  }

  var description: String { "ZooDelay" }

  func receive(subscription: any Subscription) {
    let isFirst = lock.withLock {
      guard upstream == nil, downstream != nil else { return false }
      upstream = subscription
      return true
    }
    guard isFirst else { return subscription.cancel() }
    if fault == .keepsHeartbeat {
      let heartbeat = scheduler.schedule(after: scheduler.now, interval: 10) { withExtendedLifetime(self) {} }
      lock.withLock { self.heartbeat = heartbeat }
    }
    lock.withLock { downstream }?.receive(subscription: self)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    guard lock.withLock({ upstream != nil && !hasEnded }) else { return .none }
    scheduler.schedule(after: scheduler.now.advanced(by: 1)) { [self] in
      let (current, isOver) = lock.withLock { (downstream, hasEnded) }
      let target = fault == .deliversAfterCancel && !isOver ? rogue : current
      guard let target else { return }
      let more = target.receive(input)
      if more > .none { lock.withLock { upstream }?.request(more) }
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let isFirst = lock.withLock {
      defer { (hasEnded, upstream) = (true, nil) }
      return upstream != nil && !hasEnded
    }
    guard isFirst else { return }
    let end = { [self] in
      let target = lock.withLock {
        defer { downstream = nil }
        return downstream
      }
      target?.receive(completion: completion)
    }
    switch fault {
    case .endsWithoutScheduler: end()
    case .endsAtOnce: scheduler.schedule(end)
    default: scheduler.schedule(after: scheduler.now.advanced(by: 1), end)
    }
  }

  func request(_ demand: Subscribers.Demand) { lock.withLock { upstream }?.request(demand) }

  func cancel() {
    let (upstream, downstream) = lock.withLock {
      defer { (self.upstream, self.downstream) = (nil, nil) }
      return (self.upstream, self.downstream)
    }
    upstream?.cancel()
    withExtendedLifetime(downstream) {}
  }
}
