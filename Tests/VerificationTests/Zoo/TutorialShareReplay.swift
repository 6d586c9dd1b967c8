// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore
import PenstockTesting

enum ShareReplayMistake: Sendable {
  case finishesOnCancel, forgetsNobody, dropsUnrequestedAtEnd, locksWhileSending, staysConnected
}

/// One run of upstream for all subscribers, with a replay of everything for later ones; with or without its mistake.
final class TutorialShareReplay<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  private let upstream: Upstream
  fileprivate let mistake: ShareReplayMistake?
  fileprivate let lock = NSLock()
  fileprivate let sending = ZooLock()
  fileprivate var log: [Output] = []
  fileprivate var completion: Subscribers.Completion<Failure>?
  private var members: [Member] = []
  private var kept: [AnySubscriber<Output, Failure>] = []
  private var source: (any Subscription)?
  private var isConnected = false

  init(_ upstream: Upstream, _ mistake: ShareReplayMistake?) { (self.upstream, self.mistake) = (upstream, mistake) }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let member = Member(self, AnySubscriber(subscriber))
    let connects = lock.withLock {
      members.append(member)
      if mistake == .forgetsNobody { kept.append(AnySubscriber(subscriber)) }
      defer { isConnected = true }
      return !isConnected
    }
    subscriber.receive(subscription: member)
    member.begin()
    if connects { upstream.subscribe(Inlet(owner: self)) }
  }

  fileprivate func remove(_ member: Member) {
    let source: (any Subscription)? = lock.withLock {
      members.removeAll { $0 === member }
      guard members.isEmpty, mistake != .staysConnected else { return nil }
      defer { (self.source, isConnected) = (nil, completion != nil) }
      return self.source
    }
    source?.cancel()
  }

  fileprivate func wake() { for member in lock.withLock({ members }) { member.deliver() } }

  /// The subscriber that upstream sees.
  private struct Inlet: Subscriber {
    typealias Input = Upstream.Output
    typealias Failure = Upstream.Failure

    let owner: TutorialShareReplay
    let combineIdentifier = CombineIdentifier()

    func receive(subscription: any Subscription) {
      let isFirst = owner.lock.withLock {
        guard owner.source == nil else { return false }
        owner.source = subscription
        return true
      }
      if isFirst { subscription.request(.unlimited) } else { subscription.cancel() }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      owner.lock.withLock { if owner.source != nil { owner.log.append(input) } }
      owner.wake()
      return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      let isFirst = owner.lock.withLock {
        guard owner.source != nil, owner.completion == nil else { return false }
        (owner.completion, owner.source) = (completion, nil)
        return true
      }
      if isFirst { owner.wake() }
    }
  }

  fileprivate final class Member: Subscription {
    private let owner: TutorialShareReplay
    private var downstream: AnySubscriber<Output, Failure>?
    private var demand = Subscribers.Demand.none
    private var next = 0
    private var isBusy = true

    init(_ owner: TutorialShareReplay, _ downstream: AnySubscriber<Output, Failure>) {
      (self.owner, self.downstream) = (owner, downstream)
    }

    func begin() {
      owner.lock.withLock { isBusy = false }
      deliver()
    }

    func request(_ demand: Subscribers.Demand) {
      owner.lock.withLock { self.demand += demand }
      if owner.mistake == .locksWhileSending { owner.sending.withLock {} }
      deliver()
    }

    func cancel() {
      let old = owner.lock.withLock {
        defer { downstream = nil }
        return downstream
      }
      owner.remove(self)
      if owner.mistake == .finishesOnCancel { old?.receive(completion: .finished) }
    }

    func deliver() {
      let isFree = owner.lock.withLock {
        defer { isBusy = true }
        return !isBusy
      }
      guard isFree else { return }
      while let (target, value, end) = owner.lock.withLock({ step() }) {
        if let value {
          let more =
            owner.mistake == .locksWhileSending
            ? owner.sending.withLock { target.receive(value) } : target.receive(value)
          owner.lock.withLock { demand += more }
        } else if let end {
          owner.remove(self)
          return target.receive(completion: end)
        }
      }
    }

    private typealias Step = (AnySubscriber<Output, Failure>, Output?, Subscribers.Completion<Failure>?)

    private func step() -> Step? {
      guard let downstream else { return nil }
      if demand > .none, next < owner.log.count {
        demand -= 1
        next += 1
        return (downstream, owner.log[next - 1], nil)
      }
      if let end = owner.completion, next == owner.log.count || owner.mistake == .dropsUnrequestedAtEnd {
        self.downstream = nil
        return (downstream, nil, end)
      }
      isBusy = false
      return nil
    }
  }
}
