// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: S-08 – finite demand that arrives after unlimited demand replaces it. It shows when, while an unlimited
// request is being served, request(n) is called (inside a callback or on another thread) or receive(_:) returns
// .max(n): n more values come, then the stream stalls without a completion.
struct HouseNumbers: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let count: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let walk = HouseWalk(count: count, target: subscriber)
    subscriber.receive(subscription: walk)
    walk.drain()
  }
}

private final class HouseWalk<Target: Subscriber>: Subscription where Target.Input == Int, Target.Failure == Never {
  private enum Step {
    case value(Int)
    case end
    case pause
  }

  private let lock = NSLock()
  private let count: Int
  private var next = 1
  private var target: Target?
  // nil means that there is no limit.
  private var wanted: Int? = 0
  private var draining = false

  init(count: Int, target: Target) {
    self.count = count
    self.target = target
  }

  func request(_ demand: Subscribers.Demand) {
    lock.withLock { add(demand) }
    drain()
  }

  func cancel() {
    let released = lock.withLock { () -> Target? in
      defer { target = nil }
      return target
    }
    _ = released
  }

  func drain() {
    guard let target = begin() else { return }
    while true {
      switch step() {
      case .value(let number):
        let more = target.receive(number)
        lock.withLock { add(more) }
      case .end:
        target.receive(completion: .finished)
        return
      case .pause:
        return
      }
    }
  }

  private func add(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    guard let more = demand.max else {
      wanted = nil
      return
    }
    let (sum, overflow) = (wanted ?? 0).addingReportingOverflow(more)
    wanted = overflow ? nil : sum
  }

  private func begin() -> Target? {
    lock.withLock {
      guard !draining, let target else { return nil }
      draining = true
      return target
    }
  }

  private func step() -> Step {
    lock.withLock {
      if target != nil, next > count {
        target = nil
        return .end
      }
      guard target != nil, wanted != 0 else {
        draining = false
        return .pause
      }
      if let finite = wanted { wanted = finite - 1 }
      next += 1
      return .value(next - 1)
    }
  }
}
