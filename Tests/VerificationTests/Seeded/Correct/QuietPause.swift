// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore

// Correct: a debounce that does not lose: the value whose pause is over without demand is kept (the newest only) and
// goes out on the next request; the end lets a waiting value out first. All values and the end come on the scheduler;
// the timer is a repeating one that is cancelled in its first call, so that nothing stays scheduled.
struct QuietPause<Upstream: Publisher, Context: Scheduler>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let pause: Context.SchedulerTimeType.Stride
  let scheduler: Context

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(Listener(subscriber, pause, scheduler))
  }

  private final class Listener<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    typealias Input = Output
    private struct Live {
      let downstream: Downstream
      var upstream: (any Subscription)?
      var hasStarted = false
      var timer: (any Cancellable)?
      var ticket = 0
      var newest: Input?, ready: Input?
      var end: Subscribers.Completion<Failure>?
      var demand = Subscribers.Demand.none
      var isDeliverable: Bool { ready == nil ? end != nil : demand > 0 }
    }

    private let lock = NSLock()
    private let pause: Context.SchedulerTimeType.Stride
    private let scheduler: Context
    private var live: Live?
    private var isDelivering = false  // or scheduled to

    init(_ downstream: Downstream, _ pause: Context.SchedulerTimeType.Stride, _ scheduler: Context) {
      live = Live(downstream: downstream)
      self.pause = pause
      self.scheduler = scheduler
    }

    // Returns the previous state, for release outside the lock, and whether the caller has to deliver.
    private func change(if isWanted: (Live) -> Bool, _ body: (inout Live) -> Void) -> (old: Live, isMine: Bool)? {
      lock.withLock {
        guard let old = live, isWanted(old) else { return nil }
        body(&live!)
        guard live!.isDeliverable, !isDelivering else { return (old, false) }
        isDelivering = true
        return (old, true)
      }
    }

    func receive(subscription: any Subscription) {
      let start = change(if: { !$0.hasStarted }) { ($0.hasStarted, $0.upstream) = (true, subscription) }
      guard let start else { return subscription.cancel() }
      start.old.downstream.receive(subscription: self)
      if lock.withLock({ live != nil }) { subscription.request(.unlimited) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      var ticket = 0
      let changed = change(if: { $0.upstream != nil }) {
        ($0.newest, $0.timer, $0.ticket) = (input, nil, $0.ticket + 1)
        ticket = $0.ticket
      }
      guard let changed else { return .none }
      changed.old.timer?.cancel()
      let due = scheduler.now.advanced(by: pause)
      let timer = scheduler.schedule(after: due, interval: pause) { [ticket] in self.pauseIsOver(ticket) }
      let started = change(if: { [ticket] in $0.ticket == ticket && $0.newest != nil }) { $0.timer = timer }
      if started == nil { timer.cancel() }
      return .none
    }

    private func pauseIsOver(_ ticket: Int) {
      let changed = change(if: { $0.ticket == ticket && $0.newest != nil }) {
        ($0.ready, $0.newest, $0.timer) = ($0.newest, nil, nil)
      }
      changed?.old.timer?.cancel()
      if changed?.isMine == true { deliver() }
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      let changed = change(if: { $0.upstream != nil }) {
        ($0.upstream, $0.timer, $0.end) = (nil, nil, completion)
        if case .failure = completion { $0.ready = nil } else { $0.ready = $0.newest ?? $0.ready }
        $0.newest = nil
      }
      changed?.old.timer?.cancel()
      if changed?.isMine == true { scheduler.schedule { self.deliver() } }
    }

    func request(_ more: Subscribers.Demand) {
      let changed = change(if: { _ in more > 0 }) { $0.demand += more }
      if changed?.isMine == true { scheduler.schedule { self.deliver() } }
    }

    func cancel() {
      var dropped: Live?
      lock.withLock { swap(&dropped, &live) }
      dropped?.timer?.cancel()
      dropped?.upstream?.cancel()
    }

    private func deliver() {
      while let live = lock.withLock({ next() }) {
        guard let value = live.ready else { return live.downstream.receive(completion: live.end!) }
        let more = live.downstream.receive(value)
        lock.withLock { self.live?.demand += more }
      }
    }

    // The next delivery: a value, or, if there is none, the end.
    private func next() -> Live? {
      guard let live, live.isDeliverable else {
        isDelivering = false
        return nil
      }
      if live.ready == nil { self.live = nil } else { (self.live!.ready, self.live!.demand) = (nil, live.demand - 1) }
      return live
    }
  }
}
