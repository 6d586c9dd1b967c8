// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The rule of `retry(_:delay:scheduler:)`: after a failure a wait follows, and after the wait the same publisher.
///
/// The wait is an upstream without values that finishes when its time has passed. So a cancel reaches it like any
/// upstream, and demand that is added meanwhile stays outstanding.
@usableFromInline
internal struct DelayedRetryRule<Repeated: Publisher, Context: Scheduler>: SequentialRule {
  @usableFromInline internal typealias Output = Repeated.Output
  @usableFromInline internal typealias Upstream = Repeated.Failure
  @usableFromInline internal typealias Downstream = Repeated.Failure

  /// What follows a completion.
  @usableFromInline
  internal enum Next {
    case wait(Context.SchedulerTimeType.Stride)
    /// An attempt, with the number of the thread on which the wait has ended.
    case attempt(UInt)
  }

  @usableFromInline internal let publisher: Publishers.DelayedRetry<Repeated, Context>
  @usableFromInline internal let course: RetryCourse<Context.SchedulerTimeType>
  @usableFromInline internal let waitEnd = RetryWaitEnd()

  @inlinable
  internal init(_ publisher: Publishers.DelayedRetry<Repeated, Context>) {
    self.publisher = publisher
    course = publisher.makeCourse()
  }

  @inlinable
  internal static var name: String { "DelayedRetry" }

  @inlinable
  internal static var traits: SequentialTraits {
    SequentialTraits(trapsUnrequested: true, isEndless: true, acceptsZeroDemand: false)
  }

  @inlinable
  internal func willDeliver() { course.noteValue() }

  @inlinable
  internal func next(
    after completion: Subscribers.Completion<Upstream>, number: UInt
  ) -> SequentialStep<Next, Downstream> {
    // Attempts and waits alternate.
    if number.isMultiple(of: 2) { return .start(with: .attempt(waitEnd.thread)) }
    guard case .failure(let error) = completion, let delay = delay(after: error) else { return .finish(completion) }
    return .start(with: .wait(delay))
  }

  /// The wait after a failure; `nil` if no attempt follows.
  @inlinable
  internal func delay(after failure: Upstream) -> Context.SchedulerTimeType.Stride? {
    switch publisher.decide(failure) {
    case .giveUp:
      return nil
    case .byPolicy:
      return course.delay(instead: nil) { publisher.scheduler.now }
    case .after(let wait):
      checkInterval(wait, of: "retry(_:scheduler:decide:)")
      return course.delay(instead: wait) { publisher.scheduler.now }
    }
  }

  /// Attempts are made on the scheduler.
  ///
  /// After a wait, the turn to start the next attempt may fall to a thread that is not the scheduler's: a thread that
  /// is still in the delivery during which the previous attempt failed, or in the call that began the wait. Such a
  /// thread schedules the attempt.
  @inlinable
  internal func subscribe(_ subscriber: SequentialSubscriber<Self>, to next: Next) {
    let upstream = publisher.upstream
    switch next {
    case .wait(let delay): wait(delay, on: publisher.scheduler, noting: waitEnd, course.attempt, for: subscriber)
    case .attempt(currentThread()): upstream.subscribe(subscriber)
    case .attempt: publisher.scheduler.schedule { if !subscriber.ledger.isClosed { upstream.subscribe(subscriber) } }
    }
  }
}

/// The end of the latest wait.
@usableFromInline
internal final class RetryWaitEnd {
  /// The number of the thread on which the wait has ended.
  ///
  /// Written before a wait completes, and read by the thread that continues after it.
  @usableFromInline internal var thread: UInt = 0

  @inlinable
  internal init() {}
}

/// Gives a subscriber a subscription that finishes after a delay.
///
/// A cancel also cancels the scheduled completion, so that the scheduler releases the subscriber.
///
/// - Parameter attempt: The attempt that follows, for tools.
@usableFromInline
internal func wait<S: Subscriber, Context: Scheduler>(
  _ delay: Context.SchedulerTimeType.Stride, on scheduler: Context, noting waitEnd: RetryWaitEnd,
  _ attempt: RetryAttempt, for subscriber: S
) {
  let date = scheduler.now.advanced(by: delay)
  let end = ScheduledWork {
    waitEnd.thread = currentThread()
    subscriber.receive(completion: .finished)
  }
  subscriber.receive(
    subscription: timedSubscription("Retry", end) {
      $0.wait = .attempt(attempt.number, of: attempt.most, in: Duration(from: scheduler.now, to: date))
    })
  if end.isPending { scheduler.schedule(after: date) { end.runOnce() } }
}
