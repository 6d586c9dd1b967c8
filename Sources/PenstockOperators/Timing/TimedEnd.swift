// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A publisher without values that completes some time after the subscription.
///
/// `Empty().delay(for: …)` would be the same, except that a cancelled delay stays with its subscriber in the scheduler
/// until the time has passed.
@usableFromInline
internal struct TimedEnd<Output, Failure: Error, Context: Scheduler>: Publisher {
  @usableFromInline internal let duration: Context.SchedulerTimeType.Stride
  @usableFromInline internal let tolerance: Context.SchedulerTimeType.Stride?
  @usableFromInline internal let scheduler: Context
  @usableFromInline internal let options: Context.SchedulerOptions?
  /// Makes the completion, when the time has passed.
  @usableFromInline internal let makeCompletion: () -> Subscribers.Completion<Failure>

  @inlinable
  internal init(
    _ duration: Context.SchedulerTimeType.Stride, tolerance: Context.SchedulerTimeType.Stride? = nil,
    on scheduler: Context, options: Context.SchedulerOptions?,
    makeCompletion: @escaping () -> Subscribers.Completion<Failure> = { .finished }
  ) {
    self.duration = duration
    self.tolerance = tolerance
    self.scheduler = scheduler
    self.options = options
    self.makeCompletion = makeCompletion
  }

  @usableFromInline
  internal func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let date = scheduler.now.advanced(by: duration)
    let makeCompletion = makeCompletion
    let end = ScheduledWork { subscriber.receive(completion: makeCompletion()) }
    let scheduler = scheduler
    subscriber.receive(subscription: timedSubscription("Timer", end) { $0.keep(0, until: date, on: scheduler) })
    guard end.isPending else { return }
    scheduler.schedule(after: date, tolerance: tolerance ?? scheduler.minimumTolerance, options: options) {
      end.runOnce()
    }
  }
}
