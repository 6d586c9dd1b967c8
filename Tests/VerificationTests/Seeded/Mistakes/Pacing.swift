// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Breaks: M-05 – the value that is held for the end of the window is replaced while the lock is held, so the old value
// is released under the lock. Shows when two values arrive within one window and the deinit of the first calls back
// (`cancel()` or `request(_:)` of this subscription): the thread waits for its own lock. Other releases are outside.
struct Pacing<Upstream: Publisher, Time: Scheduler>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let interval: Time.SchedulerTimeType.Stride
  let scheduler: Time

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(Inner(subscriber, interval, scheduler))
  }

  private final class Inner<S: Subscriber>: Subscriber, Subscription
  where S.Input == Upstream.Output, S.Failure == Upstream.Failure {
    private let lock = NSLock()
    private let (interval, scheduler): (Time.SchedulerTimeType.Stride, Time)
    private var downstream: S?
    private var upstream: (any Subscription)?
    private var held: Upstream.Output?
    private var ending: Subscribers.Completion<Upstream.Failure>?
    private var demand = Subscribers.Demand.none
    private var (window, isOpen, isFiring) = (0, false, false)
    private var timer: (any Cancellable)?

    init(_ downstream: S, _ interval: Time.SchedulerTimeType.Stride, _ scheduler: Time) {
      (self.downstream, self.interval, self.scheduler) = (downstream, interval, scheduler)
    }

    func receive(subscription: any Subscription) {
      let target = lock.withLock { () -> S? in
        guard let downstream, upstream == nil, ending == nil else { return nil }
        upstream = subscription
        return downstream
      }
      guard let target else { return subscription.cancel() }
      target.receive(subscription: self)
      if lock.withLock({ downstream != nil }) { subscription.request(.unlimited) }
    }

    func receive(_ input: Upstream.Output) -> Subscribers.Demand {
      lock.lock()
      guard downstream != nil, ending == nil else {
        lock.unlock()
        return .none
      }
      held = input
      lock.unlock()
      openWindow()
      return .none
    }

    func receive(completion: Subscribers.Completion<Upstream.Failure>) {
      _ = lock.withLock { () -> Any in
        if ending == nil { ending = completion }
        let dropped = (upstream, held)
        upstream = nil
        if case .failure = completion { held = nil }
        return dropped
      }
      openWindow()
    }

    func request(_ more: Subscribers.Demand) { lock.withLock { demand += more } }

    func cancel() {
      let gone = take()
      gone.upstream?.cancel()
      gone.timer?.cancel()
    }

    private func take() -> (downstream: S?, upstream: (any Subscription)?, timer: (any Cancellable)?, held: Any) {
      lock.withLock {
        defer { (downstream, upstream, timer, held, window) = (nil, nil, nil, nil, window + 1) }
        return (downstream, upstream, timer, held as Any)
      }
    }

    private func openWindow() {
      let new = lock.withLock { () -> Int? in
        guard downstream != nil, !isOpen else { return nil }
        (window, isOpen) = (window + 1, true)
        return window
      }
      guard let new else { return }
      let end = scheduler.now.advanced(by: interval)
      let started = scheduler.schedule(after: end, interval: interval) { self.fire(new) }
      let isWanted = lock.withLock {
        if window == new { timer = started }
        return window == new
      }
      if !isWanted { started.cancel() }
    }

    private func fire(_ number: Int) {
      typealias Step = (isIdle: Bool, value: Upstream.Output?, target: S?, timer: (any Cancellable)?)
      let step = lock.withLock { () -> Step? in
        guard number == window, !isFiring else { return nil }
        guard held != nil || ending != nil else {  // nothing came in this window: the next value opens a new one
          defer { (window, isOpen, timer) = (window + 1, false, nil) }
          return (true, nil, nil, timer)
        }
        isFiring = true
        defer { held = nil }
        guard held != nil, demand > .none else { return (false, held, nil, nil) }  // nobody asked: it is dropped
        demand -= 1
        return (false, held, downstream, nil)
      }
      guard let step else { return }
      if step.isIdle { return step.timer?.cancel() ?? () }
      let extra = step.value.flatMap { step.target?.receive($0) } ?? .none
      let end = lock.withLock { () -> Subscribers.Completion<Upstream.Failure>? in
        (demand, isFiring) = (demand + extra, false)
        return held == nil ? ending : nil
      }
      guard let end else { return }
      let gone = take()
      gone.timer?.cancel()
      gone.downstream?.receive(completion: end)
    }
  }
}
