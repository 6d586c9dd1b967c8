// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Subscribes to the upstream publisher again some time after a failure, up to a number of times.
  ///
  /// ![300 milliseconds after the failure, upstream is subscribed to once more.](retry-delay)
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
  /// Values delivered before a failure are not taken back: each attempt delivers its own values.
  ///
  /// **Demand:** passed to the current attempt, and counted; demand that it has not met is requested from the next one.
  /// A value that was not requested traps, and so does `request(.none)`.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** starts the delay before the next attempt; forwarded when no attempt is left.
  ///
  /// **Concurrency:** the first attempt is made on the subscribing thread, the others on the scheduler. If an attempt
  /// fails during a delivery, events from other threads wait until the delivery has returned. Attempts that fail at
  /// once are made in a loop. A cancel, on any thread, ends the delay: upstream is not subscribed to again.
  ///
  /// Use ``retry(_:delay:scheduler:when:)`` to retry some failures only, ``retry(_:scheduler:when:)`` for growing
  /// delays, and `retry(_:)` to subscribe again at once.
  ///
  /// - Parameters:
  ///   - retries: The maximum number of times to subscribe again. A negative number traps.
  ///   - delay: The delay after each failure.
  ///   - scheduler: The scheduler that waits and subscribes again.
  /// - Returns: A publisher that fails only when the last attempt does.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func retry<S: Scheduler>(
    _ retries: Int, delay: S.SchedulerTimeType.Stride, scheduler: S
  ) -> Publishers.DelayedRetry<Self, S> {
    Publishers.DelayedRetry(upstream: self, retries: retries, delay: delay, scheduler: scheduler)
  }

  /// Subscribes to the upstream publisher again some time after a failure that satisfies a predicate, up to a number of
  /// times.
  ///
  /// ![After a failure that is transient, upstream is subscribed to again. Another failure is
  /// published.](retry-delay-when)
  ///
  /// It works as ``retry(_:delay:scheduler:)``, but forwards other failures at once.
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
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``retry(_:delay:scheduler:)``.
  ///
  /// - Parameters:
  ///   - retries: The maximum number of times to subscribe again. A negative number traps.
  ///   - delay: The delay after each failure.
  ///   - scheduler: The scheduler that waits and subscribes again.
  ///   - isTransient: A predicate that decides whether to retry after a failure; other failures are forwarded at once.
  /// - Returns: A publisher that fails when the last attempt does, or with the first failure that is not transient.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func retry<S: Scheduler>(
    _ retries: Int, delay: S.SchedulerTimeType.Stride, scheduler: S, when isTransient: @escaping (Failure) -> Bool
  ) -> Publishers.DelayedRetry<Self, S> {
    Publishers.DelayedRetry(
      upstream: self, retries: retries, delay: delay, scheduler: scheduler, isTransient: isTransient)
  }

  /// Subscribes to the upstream publisher again after a failure, with the number of retries and the delays of a policy.
  ///
  /// ![After each failure, the time until the next attempt is twice as long.](retry-policy)
  ///
  /// It works as ``retry(_:delay:scheduler:)``, with delays that can grow and vary at random.
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
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``retry(_:delay:scheduler:)``.
  ///
  /// - Parameters:
  ///   - policy: The number of retries and the delays.
  ///   - scheduler: The scheduler that waits and subscribes again.
  ///   - isTransient: A predicate that decides whether to retry after a failure; by default every failure is retried.
  ///     Other failures are forwarded at once.
  /// - Returns: A publisher that fails when the last attempt does, or with the first failure that is not transient.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func retry<S: Scheduler>(
    _ policy: RetryPolicy, scheduler: S, when isTransient: @escaping (Failure) -> Bool = { _ in true }
  ) -> Publishers.DelayedRetry<Self, S> {
    Publishers.DelayedRetry(upstream: self, policy: policy, scheduler: scheduler, isTransient: isTransient)
  }
}

extension Publishers {
  /// A publisher that subscribes to upstream again some time after a failure; see
  /// ``Publisher/retry(_:delay:scheduler:)``.
  public struct DelayedRetry<Upstream: Publisher, Context: Scheduler>: Publisher, _DerivedTypes {
    public typealias _Origin = Upstream

    /// The publisher that may fail.
    public let upstream: Upstream

    /// The scheduler that waits and subscribes again.
    public let scheduler: Context

    @usableFromInline internal typealias Course = RetryCourse<Context.SchedulerTimeType>

    @usableFromInline internal let makeCourse: () -> Course
    @usableFromInline internal let decide: (Upstream.Failure) -> RetryDecision<Context.SchedulerTimeType.Stride>

    /// Creates a publisher that subscribes to upstream again after equal delays.
    ///
    /// - Parameters:
    ///   - upstream: The publisher that may fail.
    ///   - retries: The maximum number of times to subscribe again. A negative number traps.
    ///   - delay: The delay after each failure.
    ///   - scheduler: The scheduler that waits and subscribes again.
    ///   - isTransient: A predicate that decides whether to retry after a failure; by default every failure is retried.
    @_alwaysEmitIntoClient
    public init(
      upstream: Upstream, retries: Int, delay: Context.SchedulerTimeType.Stride, scheduler: Context,
      isTransient: @escaping (Upstream.Failure) -> Bool = { _ in true }
    ) {
      if retries < 0 { trap(.negativeCount(operator: "retry(_:delay:scheduler:)")) }
      self.upstream = upstream
      self.scheduler = scheduler
      makeCourse = { Course(retries) { $0 < retries ? delay : nil } }
      decide = { isTransient($0) ? .byPolicy : .giveUp }
    }

    /// Creates a publisher that subscribes to upstream again after the delays of a policy.
    ///
    /// - Parameters:
    ///   - upstream: The publisher that may fail.
    ///   - policy: The number of retries and the delays.
    ///   - scheduler: The scheduler that waits and subscribes again.
    ///   - isTransient: A predicate that decides whether to retry after a failure; by default every failure is retried.
    @_alwaysEmitIntoClient
    public init(
      upstream: Upstream, policy: RetryPolicy, scheduler: Context,
      isTransient: @escaping (Upstream.Failure) -> Bool = { _ in true }
    ) {
      self.init(upstream: upstream, policy: policy, scheduler: scheduler) { isTransient($0) ? .byPolicy : .giveUp }
    }

    /// Creates a publisher that subscribes to upstream again when a closure or a policy says so.
    ///
    /// - Parameters:
    ///   - upstream: The publisher that may fail.
    ///   - policy: The number of retries, and the delays that the closure does not name.
    ///   - scheduler: The scheduler that waits and subscribes again.
    ///   - decide: A closure that decides what follows a failure. A negative wait traps.
    @_alwaysEmitIntoClient
    public init(
      upstream: Upstream, policy: RetryPolicy, scheduler: Context,
      decide: @escaping (Upstream.Failure) -> RetryDecision<Context.SchedulerTimeType.Stride>
    ) {
      self.upstream = upstream
      self.scheduler = scheduler
      makeCourse = { Course(policy) }
      self.decide = decide
    }

    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Self.Output == S.Input, Failure == S.Failure {
      SequentialSubscriber(DelayedRetryRule(self), to: subscriber).begin(with: upstream, upstreamOf: S.self)
    }
  }
}
