// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A publisher of one signal, some time after the subscription, for an operator that requests it at once.
///
/// `Just(()).delay(for: …)` would be the same, except that a cancelled delay stays with its subscriber in the scheduler
/// until the time has passed.
@usableFromInline
internal struct ElapsedTime<Context: Scheduler>: Publisher {
  @usableFromInline internal typealias Output = Void
  @usableFromInline internal typealias Failure = Never

  @usableFromInline internal let duration: Context.SchedulerTimeType.Stride
  @usableFromInline internal let tolerance: Context.SchedulerTimeType.Stride?
  @usableFromInline internal let scheduler: Context
  @usableFromInline internal let options: Context.SchedulerOptions?

  @inlinable
  internal init(
    _ duration: Context.SchedulerTimeType.Stride, tolerance: Context.SchedulerTimeType.Stride?, on scheduler: Context,
    options: Context.SchedulerOptions?
  ) {
    self.duration = duration
    self.tolerance = tolerance
    self.scheduler = scheduler
    self.options = options
  }

  @usableFromInline
  internal func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
    let date = scheduler.now.advanced(by: duration)
    let signal = ScheduledWork {
      _ = subscriber.receive(())
      subscriber.receive(completion: .finished)
    }
    let scheduler = scheduler
    subscriber.receive(
      subscription: timedSubscription("Timer", signal) { $0.keep(0, until: date, on: scheduler) })
    guard signal.isPending else { return }
    scheduler.schedule(after: date, tolerance: tolerance ?? scheduler.minimumTolerance, options: options) {
      signal.runOnce()
    }
  }
}

/// Returns the subscription of a signal at a date.
///
/// A cancel releases the subscriber, though the scheduler keeps its action.
///
/// - Parameter show: Shows the date while the signal is due.
internal func timedSubscription(
  _ name: String, _ signal: ScheduledWork, show: @escaping (inout LinkState) -> Void
) -> SourceSubscription {
  SourceSubscription(name, acceptsNone: true) { _, call in
    switch call {
    case .request: break
    case .cancel: signal.cancel()
    case .show(let link): if signal.isPending { show(&link.pointee) }
    }
  }
}
