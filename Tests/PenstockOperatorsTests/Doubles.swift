// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport

/// Delivers 1, 2 and 3 to a subscriber with unlimited demand, and never ends.
struct OneTwoThree: Publisher {
  typealias Output = Int
  typealias Failure = Never

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let isCancelled = Locked(false)
    let subscription = ManualSubscription()
    subscription.onCancel = { isCancelled.change { $0 = true } }
    subscription.onRequest = { _ in
      for value in 1...3 where !isCancelled.value { _ = subscriber.receive(value) }
    }
    subscriber.receive(subscription: subscription)
  }
}

/// Virtual time in which something else happens while an operator reads the time, sets a timer or cancels one.
final class InterruptedScheduler: Scheduler {
  typealias SchedulerTimeType = VirtualTime
  typealias SchedulerOptions = Never

  let base = VirtualTimeScheduler()
  /// Called once, when the time is read.
  var onNow: (() -> Void)?
  /// Called once, when a timer has been set and its owner does not have it yet.
  var onTimer: (() -> Void)?
  /// Called once, when a timer has been cancelled, even one that has fired.
  var onTimerCancel: (() -> Void)?

  var now: VirtualTime {
    onNow.take()?()
    return base.now
  }

  var minimumTolerance: VirtualTime.Stride { base.minimumTolerance }

  func schedule(options: Never?, _ action: @escaping () -> Void) { base.schedule(action) }

  func schedule(
    after date: VirtualTime, tolerance: VirtualTime.Stride, options: Never?, _ action: @escaping () -> Void
  ) { base.schedule(after: date, tolerance: tolerance, action) }

  func schedule(
    after date: VirtualTime, interval: VirtualTime.Stride, tolerance: VirtualTime.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    let timer = base.schedule(after: date, interval: interval, tolerance: tolerance, action)
    timers.append(timer)
    onTimer.take()?()
    return Timer(base: timer, scheduler: self)
  }

  /// Kept here: with a scheduler that has only Combine's interface, a timer need not stop when it is released.
  private var timers: [any Cancellable] = []

  private struct Timer: Cancellable {
    let base: any Cancellable
    let scheduler: InterruptedScheduler

    func cancel() {
      base.cancel()
      scheduler.onTimerCancel.take()?()
    }
  }
}
