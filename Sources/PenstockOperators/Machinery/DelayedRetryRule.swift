// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The waits that are left, in the time of a scheduler.
@usableFromInline
internal enum RetryPace<Interval: SchedulerTimeIntervalConvertible> {
  case fixed(left: Int, Interval)
  case policy(RetryPolicy.Delays)

  /// The next wait, or `nil` where there is no other retry.
  @usableFromInline
  internal mutating func take() -> Interval? {
    switch self {
    case .fixed(let left, let delay):
      if left == 0 { return nil }
      self = .fixed(left: left - 1, delay)
      return delay
    case .policy(var delays):
      guard let delay = delays.take() else { return nil }
      self = .policy(delays)
      return .nanoseconds(delay.nanoseconds)
    }
  }
}

extension Duration {
  /// The nanoseconds; the most that can be counted where there are more.
  fileprivate var nanoseconds: Int {
    let (seconds, attoseconds) = components
    let (whole, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : Int(clamping: whole + attoseconds / 1_000_000_000)
  }
}

/// The rule of `retry(_:delay:scheduler:)`: a failure brings a wait, and the wait the same publisher again.
///
/// The wait is an upstream without values, which ends when its time has come. So a cancel reaches it as it reaches any
/// upstream, and what is asked for meanwhile stays outstanding.
@usableFromInline
internal struct DelayedRetryRule<Repeated: Publisher, Context: Scheduler>: HandoverRule {
  @usableFromInline internal typealias Output = Repeated.Output
  @usableFromInline internal typealias Upstream = Repeated.Failure
  @usableFromInline internal typealias Downstream = Repeated.Failure

  @usableFromInline internal let upstream: Repeated
  @usableFromInline internal let scheduler: Context
  @usableFromInline internal let isPassing: (Repeated.Failure) -> Bool
  @usableFromInline internal var pace: RetryPace<Context.SchedulerTimeType.Stride>
  @usableFromInline internal var isWaiting = false

  @inlinable
  internal init(_ publisher: Publishers.DelayedRetry<Repeated, Context>) {
    upstream = publisher.upstream
    scheduler = publisher.scheduler
    isPassing = publisher.isPassing
    pace = publisher.pace
  }

  @inlinable
  internal static var name: String { "DelayedRetry" }

  @inlinable
  internal static var rules: HandoverRules {
    HandoverRules(trapsUnrequested: true, isEndless: true, acceptsNothing: false)
  }

  @inlinable
  internal mutating func succeed<S: Subscriber>(
    _ completion: Subscribers.Completion<Repeated.Failure>, isLast: Bool, in handover: Handover<Self, S>.Type
  ) -> Succession<Repeated.Failure> where S.Input == Output, S.Failure == Downstream {
    if isWaiting {
      isWaiting = false
      return .by(attempt(in: handover))
    }
    guard case .failure(let error) = completion, isPassing(error), let delay = pace.take() else {
      return .end(completion)
    }
    isWaiting = true
    return .by { [scheduler] in
      wait(delay, on: scheduler, for: unsafeDowncast($0, to: Handover<Self, S>.self))
    }
  }

  /// Called on the scheduler.
  ///
  /// It may be another thread that subscribes: the one that has begun the wait, if it has not come back from that.
  @inlinable
  internal func attempt<S: Subscriber>(in handover: Handover<Self, S>.Type) -> HandoverSubscription.Start
  where S.Input == Output, S.Failure == Downstream {
    let thread = currentThread()
    return { [upstream, scheduler] in
      let handover = unsafeDowncast($0, to: Handover<Self, S>.self)
      if currentThread() == thread {
        upstream.subscribe(handover)
      } else {
        scheduler.schedule { if !handover.ledger.isClosed { upstream.subscribe(handover) } }
      }
    }
  }
}

/// Gives a subscriber a subscription that ends after some time.
///
/// A cancel takes the end back, and with it what the scheduler holds of the subscriber.
@usableFromInline
internal func wait<S: Subscriber, Context: Scheduler>(
  _ delay: Context.SchedulerTimeType.Stride, on scheduler: Context, for subscriber: S
) {
  let date = scheduler.now.advanced(by: delay)
  let end = ScheduledWork { subscriber.receive(completion: .finished) }
  subscriber.receive(subscription: RetryWait(end: end))
  if end.isThere { scheduler.schedule(after: date) { end.runOnce() } }
}

/// The subscription of a wait.
internal struct RetryWait: Subscription {
  internal let end: ScheduledWork

  internal var combineIdentifier: CombineIdentifier { CombineIdentifier(end) }

  internal func request(_ demand: Subscribers.Demand) {}

  internal func cancel() { end.revoke() }
}

@available(*, unavailable)
extension RetryPace: Sendable {}

@available(*, unavailable)
extension DelayedRetryRule: Sendable {}

@available(*, unavailable)
extension RetryWait: Sendable {}
