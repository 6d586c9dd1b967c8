// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

/// A countdown: delivers how many ticks have passed, one per demanded value, and then ends.
///
/// Breaks S-04: a cancel inside the last tick is still followed by the completion.
struct Countdown: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let count: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let clock = Clock(downstream: subscriber, count: count)
    subscriber.receive(subscription: clock)
    clock.run()
  }

  private final class Clock<Downstream: Subscriber>: Subscription where Downstream.Input == Int {
    private let lock = NSLock()
    private let count: Int
    private var downstream: Downstream?
    private var demand = Subscribers.Demand.none
    private var passed = 0
    private var isOver = false
    private var isRunning = true

    init(downstream: Downstream, count: Int) {
      self.downstream = downstream
      self.count = count
    }

    func run() {
      lock.lock()
      guard let target = downstream else { return lock.unlock() }
      while !isOver, demand > .none, passed != count {
        demand -= 1
        let tick = passed
        passed += 1
        lock.unlock()
        let more = target.receive(tick)
        lock.lock()
        demand += more
      }
      isRunning = false
      let isLast = passed == count
      if isLast {
        isOver = true
        downstream = nil
      }
      lock.unlock()
      if isLast { target.receive(completion: .finished) }
    }

    func request(_ demand: Subscribers.Demand) {
      lock.lock()
      guard demand > .none, !isOver else { return lock.unlock() }
      self.demand += demand
      guard !isRunning else { return lock.unlock() }
      isRunning = true
      lock.unlock()
      run()
    }

    func cancel() {
      lock.lock()
      isOver = true
      let released = downstream
      downstream = nil
      lock.unlock()
      withExtendedLifetime(released) {}
    }
  }
}
