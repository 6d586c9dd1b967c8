// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Correct: an operator on a scheduler that keeps a distance: values go out at least `gap` apart, the first one at once
// (on the scheduler), nothing is dropped. Unusual: one repeating timer that only exists while it is needed; `.finished`
// follows the last value at once; a failure drops what waits and goes out with the next beat of the timer.
struct Spacing<Upstream: Publisher, Time: Scheduler>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let gap: Time.SchedulerTimeType.Stride
  let scheduler: Time

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(Inner(subscriber, gap, scheduler))
  }

  private final class Inner<S: Subscriber>: Subscriber, Subscription
  where S.Input == Upstream.Output, S.Failure == Upstream.Failure {
    private let lock = NSLock()
    private let (gap, scheduler): (Time.SchedulerTimeType.Stride, Time)
    private var downstream: S?
    private var upstream: (any Subscription)?
    private var (hasStarted, isOpen, early) = (false, false, Subscribers.Demand.none)
    private var (queue, end): ([Upstream.Output], Subscribers.Completion<Upstream.Failure>?) = ([], nil)
    private var (round, isBeating, isDelivering) = (0, false, false)
    private var timer: (any Cancellable)?

    init(_ downstream: S, _ gap: Time.SchedulerTimeType.Stride, _ scheduler: Time) {
      (self.downstream, self.gap, self.scheduler) = (downstream, gap, scheduler)
    }

    func receive(subscription: any Subscription) {
      let target = lock.withLock { () -> S? in
        guard !hasStarted, let downstream else { return nil }
        (hasStarted, upstream) = (true, subscription)
        return downstream
      }
      guard let target else { return subscription.cancel() }
      target.receive(subscription: self)
      let first = lock.withLock {
        isOpen = true
        return upstream == nil ? .none : early
      }
      if first > .none { subscription.request(first) }
    }

    func receive(_ input: Upstream.Output) -> Subscribers.Demand {
      lock.withLock { if upstream != nil { queue.append(input) } }
      beat()
      return .none
    }

    func receive(completion: Subscribers.Completion<Upstream.Failure>) {
      let gone = lock.withLock { () -> Any in
        guard let ended = upstream else { return () }
        (upstream, end) = (nil, completion)
        guard case .failure = completion else { return ended }
        defer { queue = [] }
        return (ended, queue)
      }
      withExtendedLifetime(gone) {}
      beat()
    }

    func request(_ more: Subscribers.Demand) {
      guard more > .none else { return }
      let target = lock.withLock { () -> (any Subscription)? in
        if !isOpen { early += more }
        return isOpen ? upstream : nil
      }
      target?.request(more)
    }

    func cancel() {
      let gone = take()
      gone.upstream?.cancel()
      gone.timer?.cancel()
    }

    private func take() -> (downstream: S?, upstream: (any Subscription)?, timer: (any Cancellable)?, queue: Any) {
      lock.withLock {
        defer { (downstream, upstream, timer, queue, round) = (nil, nil, nil, [], round + 1) }
        return (downstream, upstream, timer, queue)
      }
    }

    private func beat() {
      let new = lock.withLock { () -> Int? in
        guard downstream != nil, !isBeating, end != nil || !queue.isEmpty else { return nil }
        (isBeating, round) = (true, round + 1)
        return round
      }
      guard let new else { return }
      let started = scheduler.schedule(after: scheduler.now, interval: gap) { self.deliver(new) }
      let isWanted = lock.withLock {
        if round == new { timer = started }
        return round == new
      }
      if !isWanted { started.cancel() }
    }

    private func deliver(_ number: Int) {
      typealias Step = (target: S?, value: Upstream.Output?, idle: (any Cancellable)?)
      let step = lock.withLock { () -> Step? in
        guard number == round, !isDelivering else { return nil }
        guard end != nil || !queue.isEmpty else {
          defer { (round, isBeating, timer) = (round + 1, false, nil) }
          return (nil, nil, timer)
        }
        isDelivering = true
        return (downstream, queue.isEmpty ? nil : queue.removeFirst(), nil)
      }
      guard let step else { return }
      guard let target = step.target else { return step.idle?.cancel() ?? () }
      let extra = step.value.map { target.receive($0) } ?? .none
      if extra > .none { lock.withLock { upstream }?.request(extra) }
      let last = lock.withLock { () -> Subscribers.Completion<Upstream.Failure>? in
        isDelivering = false
        return queue.isEmpty ? end : nil
      }
      guard let last else { return }
      let gone = take()
      gone.timer?.cancel()
      gone.downstream?.receive(completion: last)
    }
  }
}
