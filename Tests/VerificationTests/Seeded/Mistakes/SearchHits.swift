// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: P-07 – the end is looked for only in request, so an empty publisher does not complete at demand 0 but at its
// first request. It shows with count 0 only; with one value or more the end follows the last value at once.
struct SearchHits: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let hits: [Int]

  init(count: Int) {
    hits = Array(0..<count)
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    subscriber.receive(subscription: HitList(hits: hits, target: subscriber))
  }
}

private final class HitList<Target: Subscriber>: Subscription where Target.Input == Int, Target.Failure == Never {
  private enum Step {
    case hit(Int)
    case end
    case pause
  }

  private let lock = NSLock()
  private let hits: [Int]
  private var position = 0
  private var target: Target?
  private var wanted = Subscribers.Demand.none
  private var delivering = false

  init(hits: [Int], target: Target) {
    self.hits = hits
    self.target = target
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > .none, let target = begin(adding: demand) else { return }
    while true {
      switch step() {
      case .hit(let hit):
        let more = target.receive(hit)
        lock.withLock { wanted += more }
      case .end:
        target.receive(completion: .finished)
        return
      case .pause:
        return
      }
    }
  }

  func cancel() {
    let released = lock.withLock { () -> Target? in
      defer { target = nil }
      return target
    }
    _ = released
  }

  private func begin(adding demand: Subscribers.Demand) -> Target? {
    lock.withLock {
      wanted += demand
      guard !delivering, let target else { return nil }
      delivering = true
      return target
    }
  }

  private func step() -> Step {
    lock.withLock {
      if target != nil, position == hits.count {
        target = nil
        return .end
      }
      guard target != nil, wanted > .none else {
        delivering = false
        return .pause
      }
      wanted -= 1
      position += 1
      return .hit(hits[position - 1])
    }
  }
}
