// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The decision about what follows a failure; see `retry(_:scheduler:decide:)`.
public enum RetryDecision<Stride> {
  /// Another attempt after this time, if the policy allows for one more. A negative time traps.
  case after(Stride)

  /// No further attempt: the failure is delivered.
  case giveUp

  /// The policy decides.
  case byPolicy
}

extension RetryDecision: Sendable where Stride: Sendable {}
extension RetryDecision: Equatable where Stride: Equatable {}

extension Publisher {
  /// Subscribes to the upstream publisher again after a failure, when a closure that looks at the failure, or a policy,
  /// says so.
  ///
  /// ![The first failure names a wait of 500 milliseconds; the second, which names none, is that of the
  /// policy.](retry-decide)
  ///
  /// It works as ``retry(_:scheduler:when:)``, for failures that say how long to wait, such as the answer of a server that
  /// is busy.
  ///
  /// ```swift
  /// enum Trouble: Error { case busy(seconds: Double), offline, forbidden }
  /// var troubles: [Trouble] = [.busy(seconds: 30), .offline, .forbidden]
  /// let cancellable = Deferred { Fail<Int, Trouble>(error: troubles.removeFirst()) }
  ///   .retry(.fixed(5, delay: .seconds(1)), scheduler: ImmediateScheduler.shared) { trouble in
  ///     switch trouble {
  ///     case .busy(let seconds): .after(.seconds(seconds))
  ///     case .offline: .byPolicy
  ///     case .forbidden: .giveUp
  ///     }
  ///   }
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints "failure(Trouble.forbidden)".
  /// ```
  ///
  /// A wait that the closure names counts as one of the policy's retries, and within ``RetryPolicy/giveUp(after:)``.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``retry(_:delay:scheduler:)``. The closure runs
  /// on the thread on which the attempt fails.
  ///
  /// - Parameters:
  ///   - policy: The number of retries, and the delays that the closure does not name.
  ///   - scheduler: The scheduler that waits and subscribes again.
  ///   - decide: A closure that decides what follows a failure. A negative wait traps.
  /// - Returns: A publisher that fails when the last attempt does, or with the failure at which the closure gives up.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func retry<S: Scheduler>(
    _ policy: RetryPolicy, scheduler: S, decide: @escaping (Failure) -> RetryDecision<S.SchedulerTimeType.Stride>
  ) -> Publishers.DelayedRetry<Self, S> {
    Publishers.DelayedRetry(upstream: self, policy: policy, scheduler: scheduler, decide: decide)
  }
}
