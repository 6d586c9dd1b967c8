// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: M-05 – cancel releases the subscriber and the closure while it holds its non-recursive lock. It shows when
// cancel, called outside a delivery, drops the last reference to the subscriber (or to something that it or the closure
// owns) whose deinit calls cancel or request on this subscription: that thread hangs.
struct MintedKeys: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let count: Int
  let mint: (Int) -> Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let mintage = Mintage(count: count, mint: mint, target: subscriber)
    subscriber.receive(subscription: mintage)
    mintage.drain()
  }
}

private final class Mintage<Target: Subscriber>: Subscription where Target.Input == Int, Target.Failure == Never {
  private enum Step {
    case key(Int)
    case end
    case pause
  }

  private let lock = NSLock()
  private let count: Int
  private var index = 0
  private var mint: ((Int) -> Int)?
  private var target: Target?
  private var demand = Subscribers.Demand.none
  private var draining = false

  init(count: Int, mint: @escaping (Int) -> Int, target: Target) {
    self.count = count
    self.mint = mint
    self.target = target
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    lock.withLock { self.demand += demand }
    drain()
  }

  func cancel() {
    lock.lock()
    target = nil
    mint = nil
    lock.unlock()
  }

  func drain() {
    guard let (target, mint) = begin() else { return }
    while true {
      switch step() {
      case .key(let index):
        let key = mint(index)
        guard isLive() else { continue }
        let more = target.receive(key)
        lock.withLock { demand += more }
      case .end:
        clear()
        target.receive(completion: .finished)
        return
      case .pause:
        return
      }
    }
  }

  private func begin() -> (Target, (Int) -> Int)? {
    lock.withLock {
      guard !draining, let target, let mint else { return nil }
      draining = true
      return (target, mint)
    }
  }

  private func step() -> Step {
    lock.withLock {
      if target != nil, index == count { return .end }
      guard target != nil, demand > .none else {
        draining = false
        return .pause
      }
      demand -= 1
      index += 1
      return .key(index - 1)
    }
  }

  private func isLive() -> Bool { lock.withLock { target != nil } }

  private func clear() {
    let released = lock.withLock { () -> (Target?, ((Int) -> Int)?) in
      defer {
        target = nil
        mint = nil
      }
      return (target, mint)
    }
    _ = released
  }
}
