// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Subscribes again some time after this publisher has failed, a number of times.
  ///
  /// ```swift
  /// struct Busy: Error {}
  /// var attempts = 0
  /// let server = Deferred {
  ///   attempts += 1
  ///   let answer: Result<String, Busy> = attempts < 3 ? .failure(Busy()) : .success("attempt \(attempts)")
  ///   return answer.publisher
  /// }
  /// let cancellable = server
  ///   .retry(5, delay: 1, scheduler: ImmediateScheduler.shared)
  ///   .sink(receiveCompletion: { _ in }, receiveValue: { print($0) })
  /// // Prints "attempt 3".
  /// ```
  ///
  /// Values that were delivered before a failure are not taken back: each attempt delivers its own.
  ///
  /// **Demand:** passed to the current attempt, and counted; the next one is asked for what is outstanding. A value that
  /// was not asked for, and `request(.none)`, trap.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** starts the wait for the next attempt; forwarded when none is left.
  ///
  /// **Concurrency:** the first attempt is made on the thread that subscribes, the others on the scheduler. While a
  /// delivery is running inside of which an attempt has failed, what other threads bring waits. Attempts that fail at once
  /// are made in a loop. A cancel, from any thread, ends the wait: upstream is not subscribed to again.
  ///
  /// - Parameters:
  ///   - retries: How many times to subscribe again, at most. A negative number traps.
  ///   - delay: How long to wait after each failure.
  ///   - scheduler: Where to wait and to subscribe again.
  /// - Returns: A publisher that fails when the last attempt does.
  @_disfavoredOverload
  @inlinable
  public func retry<S: Scheduler>(
    _ retries: Int, delay: S.SchedulerTimeType.Stride, scheduler: S
  ) -> Publishers.DelayedRetry<Self, S> {
    Publishers.DelayedRetry(upstream: self, retries: retries, delay: delay, scheduler: scheduler)
  }

  /// Subscribes again some time after certain failures of this publisher, a number of times.
  ///
  /// Like ``retry(_:delay:scheduler:)``, for some failures only; the others are forwarded at once.
  ///
  /// ```swift
  /// enum Trouble: Error { case connectionLost, tokenExpired }
  /// var troubles: [Trouble] = [.connectionLost, .tokenExpired]
  /// let cancellable = Deferred { Fail<Int, Trouble>(error: troubles.removeFirst()) }
  ///   .retry(5, delay: 1, scheduler: ImmediateScheduler.shared, when: { $0 == .connectionLost })
  ///   .sink(receiveCompletion: { _ in print("left:", troubles.count) }, receiveValue: { print($0) })
  /// // Prints "left: 0": the second failure is the last.
  /// ```
  ///
  /// - Parameters:
  ///   - retries: How many times to subscribe again, at most. A negative number traps.
  ///   - delay: How long to wait after each failure.
  ///   - scheduler: Where to wait and to subscribe again.
  ///   - isPassing: Whether a failure will pass, so that it is worth trying again.
  /// - Returns: A publisher that fails when the last attempt does, or with the first failure that will not pass.
  @_disfavoredOverload
  @inlinable
  public func retry<S: Scheduler>(
    _ retries: Int, delay: S.SchedulerTimeType.Stride, scheduler: S, when isPassing: @escaping (Failure) -> Bool
  ) -> Publishers.DelayedRetry<Self, S> {
    Publishers.DelayedRetry(
      upstream: self, retries: retries, delay: delay, scheduler: scheduler, isPassing: isPassing)
  }

  /// Subscribes again after failures of this publisher, as often and as late as a policy says.
  ///
  /// Like ``retry(_:delay:scheduler:)``, with waits that may grow, and that chance may shorten.
  ///
  /// ```swift
  /// struct Offline: Error {}
  /// let policy = RetryPolicy.exponential(3, initial: .seconds(1), ceiling: .seconds(60), jitter: 0.5)
  /// let cancellable = Fail<Int, Offline>(error: Offline())
  ///   .retry(policy, scheduler: ImmediateScheduler.shared)
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints "failure(Offline())" after four attempts.
  /// ```
  ///
  /// - Parameters:
  ///   - policy: How many times to subscribe again, and how long to wait each time.
  ///   - scheduler: Where to wait and to subscribe again.
  ///   - isPassing: Whether a failure will pass, so that it is worth trying again: any will unless told. The others are
  ///     forwarded at once.
  /// - Returns: A publisher that fails when the last attempt does, or with the first failure that will not pass.
  @_disfavoredOverload
  @inlinable
  public func retry<S: Scheduler>(
    _ policy: RetryPolicy, scheduler: S, when isPassing: @escaping (Failure) -> Bool = { _ in true }
  ) -> Publishers.DelayedRetry<Self, S> {
    Publishers.DelayedRetry(upstream: self, policy: policy, scheduler: scheduler, isPassing: isPassing)
  }
}

extension Publishers {
  /// A publisher that subscribes again some time after its upstream has failed; see
  /// ``Publisher/retry(_:delay:scheduler:)``.
  public struct DelayedRetry<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher that may fail.
    public let upstream: Upstream

    /// Where to wait and to subscribe again.
    public let scheduler: Context

    @usableFromInline internal let pace: RetryPace<Context.SchedulerTimeType.Stride>
    @usableFromInline internal let isPassing: (Upstream.Failure) -> Bool

    /// Makes a publisher that waits equally long before each attempt.
    ///
    /// - Parameters:
    ///   - upstream: The publisher that may fail.
    ///   - retries: How many times to subscribe again, at most. A negative number traps.
    ///   - delay: How long to wait after each failure.
    ///   - scheduler: Where to wait and to subscribe again.
    ///   - isPassing: Whether a failure will pass, so that it is worth trying again: any will unless told.
    @inlinable
    public init(
      upstream: Upstream, retries: Int, delay: Context.SchedulerTimeType.Stride, scheduler: Context,
      isPassing: @escaping (Upstream.Failure) -> Bool = { _ in true }
    ) {
      if retries < 0 { trap(.negativeCount(operator: "retry(_:delay:scheduler:)")) }
      self.upstream = upstream
      self.scheduler = scheduler
      pace = .fixed(retries: retries, delay)
      self.isPassing = isPassing
    }

    /// Makes a publisher that waits as a policy says.
    ///
    /// - Parameters:
    ///   - upstream: The publisher that may fail.
    ///   - policy: How many times to subscribe again, and how long to wait each time.
    ///   - scheduler: Where to wait and to subscribe again.
    ///   - isPassing: Whether a failure will pass, so that it is worth trying again: any will unless told.
    @inlinable
    public init(
      upstream: Upstream, policy: RetryPolicy, scheduler: Context,
      isPassing: @escaping (Upstream.Failure) -> Bool = { _ in true }
    ) {
      self.upstream = upstream
      self.scheduler = scheduler
      pace = .policy(policy)
      self.isPassing = isPassing
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
      Handover(DelayedRetryRule(self), to: subscriber).begin(with: upstream)
    }
  }
}
