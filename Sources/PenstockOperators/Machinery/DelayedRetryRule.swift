// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The configured delays, in the scheduler's time.
@usableFromInline
internal enum RetryPace<Interval: SchedulerTimeIntervalConvertible> {
  case fixed(retries: Int, Interval)
  case policy(RetryPolicy)
}

/// The delays of one subscription.
@usableFromInline
internal enum RetryWaits<Interval: SchedulerTimeIntervalConvertible> {
  case fixed(retries: Int, Interval)
  case policy(RetryPolicy.Delays)

  @inlinable
  internal init(_ pace: RetryPace<Interval>) {
    self =
      switch pace {
      case .fixed(let retries, let delay): .fixed(retries: retries, delay)
      case .policy(let policy): .policy(RetryPolicy.Delays(policy))
      }
  }

  /// The delay before a retry, or `nil` if there is no such retry.
  @usableFromInline
  internal func take(beforeRetry number: Int) -> Interval? {
    switch self {
    case .fixed(let retries, let delay): number < retries ? delay : nil
    case .policy(let delays): delays.take(beforeRetry: number).map { .nanoseconds($0.nanoseconds) }
    }
  }
}

extension Duration {
  /// The nanoseconds, clamped to the maximum.
  fileprivate var nanoseconds: Int {
    let (seconds, attoseconds) = components
    let (whole, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : Int(clamping: whole + attoseconds / 1_000_000_000)
  }
}

/// The rule of `retry(_:delay:scheduler:)`: after a failure a wait follows, and after the wait the same publisher.
///
/// The wait is an upstream without values that finishes when its time has passed. So a cancel reaches it like any
/// upstream, and demand that is added meanwhile stays outstanding.
@usableFromInline
internal struct DelayedRetryRule<Repeated: Publisher, Context: Scheduler>: SequentialRule {
  @usableFromInline internal typealias Output = Repeated.Output
  @usableFromInline internal typealias Upstream = Repeated.Failure
  @usableFromInline internal typealias Downstream = Repeated.Failure

  @usableFromInline internal let upstream: Repeated
  @usableFromInline internal let scheduler: Context
  @usableFromInline internal let isTransient: (Repeated.Failure) -> Bool
  @usableFromInline internal let waits: RetryWaits<Context.SchedulerTimeType.Stride>
  @usableFromInline internal let bell = RetrySignal()

  @inlinable
  internal init(_ publisher: Publishers.DelayedRetry<Repeated, Context>) {
    upstream = publisher.upstream
    scheduler = publisher.scheduler
    isTransient = publisher.isTransient
    waits = RetryWaits(publisher.pace)
  }

  @inlinable
  internal static var name: String { "DelayedRetry" }

  @inlinable
  internal static var rules: SequentialTraits {
    SequentialTraits(trapsUnrequested: true, isEndless: true, acceptsZeroDemand: false)
  }

  @inlinable
  internal func succeed<S: Subscriber>(
    _ completion: Subscribers.Completion<Repeated.Failure>, isLast: Bool, count: UInt,
    in handover: SequentialSubscriber<Self, S>.Type
  ) -> SequentialStep<Repeated.Failure> where S.Input == Output, S.Failure == Downstream {
    // Attempts and waits alternate.
    if count.isMultiple(of: 2) { return .by(attempt(in: handover)) }
    guard case .failure(let error) = completion, isTransient(error),
      let delay = waits.take(beforeRetry: Int(count / 2))
    else { return .end(completion) }
    return .by { [scheduler, bell] in
      wait(delay, on: scheduler, noting: bell, for: unsafeDowncast($0, to: SequentialSubscriber<Self, S>.self))
    }
  }

  /// Subscribes on the scheduler.
  ///
  /// After a wait, the next attempt may start on a thread that is not the scheduler's: one that is still in the
  /// delivery during which the previous attempt failed, or in the call that began the wait. Such a thread schedules the
  /// attempt.
  @inlinable
  internal func attempt<S: Subscriber>(in handover: SequentialSubscriber<Self, S>.Type) -> SequentialSubscription.Start
  where S.Input == Output, S.Failure == Downstream {
    let thread = bell.thread
    return { [upstream, scheduler] in
      let handover = unsafeDowncast($0, to: SequentialSubscriber<Self, S>.self)
      if currentThread() == thread {
        upstream.subscribe(handover)
      } else {
        scheduler.schedule { if !handover.ledger.isClosed { upstream.subscribe(handover) } }
      }
    }
  }
}

/// The thread on which the latest wait has ended.
@usableFromInline
internal final class RetrySignal {
  /// Written before a wait completes, and read by the thread that continues after it.
  @usableFromInline internal var thread: UInt = 0

  @inlinable
  internal init() {}
}

/// Gives a subscriber a subscription that finishes after a delay.
///
/// A cancel also cancels the scheduled completion, so that the scheduler releases the subscriber.
@usableFromInline
internal func wait<S: Subscriber, Context: Scheduler>(
  _ delay: Context.SchedulerTimeType.Stride, on scheduler: Context, noting bell: RetrySignal,
  for subscriber: S
) {
  let date = scheduler.now.advanced(by: delay)
  let end = ScheduledWork {
    bell.thread = currentThread()
    subscriber.receive(completion: .finished)
  }
  subscriber.receive(subscription: RetryWait(end: end))
  if end.isPending { scheduler.schedule(after: date) { end.runOnce() } }
}

/// The subscription during a wait.
internal struct RetryWait: Subscription {
  internal let end: ScheduledWork

  internal var combineIdentifier: CombineIdentifier { CombineIdentifier(end) }

  internal func request(_ demand: Subscribers.Demand) {}

  internal func cancel() { end.cancel() }
}
