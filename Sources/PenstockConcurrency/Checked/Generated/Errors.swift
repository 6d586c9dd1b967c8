// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Made by Utilities/checked/generate from the operators of this family. Change those, or the script, and run it.

public import PenstockCore
public import PenstockOperators

extension SendablePublisher {
  /// Replaces a failure with the values of another publisher.
  ///
  /// Does what ``/PenstockCore/Publisher/catch(_:)`` does, in a pipeline that is checked for data races.
  ///
  /// `handler` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func `catch`<P: Publisher>(_ handler: @escaping @Sendable (Failure) -> SendablePublisher<P>)
    -> SendablePublisher<Publishers.Catch<Base, P>> where Output == P.Output
  {
    SendablePublisher<Publishers.Catch<Base, P>>(unchecked: base.`catch`({ handler($0).base }))
  }

  /// Replaces a failure with a given value, and finishes.
  ///
  /// Does what ``/PenstockCore/Publisher/replaceError(with:)`` does, in a pipeline that is checked for data races.
  @inlinable
  public func replaceError(with output: Output) -> SendablePublisher<Publishers.ReplaceError<Base>> {
    SendablePublisher<Publishers.ReplaceError<Base>>(unchecked: base.replaceError(with: output))
  }

  /// Subscribes to the upstream publisher again after a failure, up to a number of times.
  ///
  /// Does what ``/PenstockCore/Publisher/retry(_:)`` does, in a pipeline that is checked for data races.
  @inlinable
  public func retry(_ retries: Int) -> SendablePublisher<Publishers.Retry<Base>> {
    SendablePublisher<Publishers.Retry<Base>>(unchecked: base.retry(retries))
  }

  /// Replaces a failure with the values of another publisher, or with an error that the closure throws.
  ///
  /// Does what ``/PenstockCore/Publisher/tryCatch(_:)`` does, in a pipeline that is checked for data races.
  ///
  /// `handler` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func tryCatch<P: Publisher>(_ handler: @escaping @Sendable (Failure) throws -> SendablePublisher<P>)
    -> SendablePublisher<Publishers.TryCatch<Base, P>> where Output == P.Output
  {
    SendablePublisher<Publishers.TryCatch<Base, P>>(unchecked: base.tryCatch({ try handler($0).base }))
  }

  /// Republishes all values, and adds a name and a place in the source to a failure.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/checkpoint(_:file:line:)-2u0np`` does, in a pipeline that
  /// is checked for data races.
  @_disfavoredOverload
  @inlinable
  public func checkpoint(_ name: String, file: StaticString = #fileID, line: UInt = #line) -> SendablePublisher<
    Publishers.MapError<Base, CheckpointFailure<Failure>>
  > {
    SendablePublisher<Publishers.MapError<Base, CheckpointFailure<Failure>>>(
      unchecked: base.checkpoint(name, file: file, line: line))
  }

  /// Republishes all values, and adds a name and a place in the source to a failure that has passed a checkpoint
  /// before.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/checkpoint(_:file:line:)-2h1ve`` does, in a pipeline that
  /// is checked for data races.
  @inlinable
  public func checkpoint<Underlying: Error>(_ name: String, file: StaticString = #fileID, line: UInt = #line)
    -> SendablePublisher<Publishers.MapError<Base, CheckpointFailure<Underlying>>>
  where Failure == CheckpointFailure<Underlying> {
    SendablePublisher<Publishers.MapError<Base, CheckpointFailure<Underlying>>>(
      unchecked: base.checkpoint(name, file: file, line: line))
  }

  /// Subscribes to the upstream publisher unless it has failed too often; then it fails at once.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/circuitBreaker(_:)`` does, in a pipeline that is checked
  /// for data races.
  @inlinable
  public func circuitBreaker<S: Scheduler & Sendable>(_ breaker: CircuitBreaker<S>) -> SendablePublisher<
    Publishers.Lifted<Output, CircuitBreakerFailure<Failure>>
  > {
    SendablePublisher<Publishers.Lifted<Output, CircuitBreakerFailure<Failure>>>(
      unchecked: base.circuitBreaker(breaker))
  }

  /// Subscribes to the upstream publisher again some time after a failure, up to a number of times.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/retry(_:delay:scheduler:)`` does, in a pipeline that is
  /// checked for data races.
  @inlinable
  public func retry<S: Scheduler & Sendable>(_ retries: Int, delay: S.SchedulerTimeType.Stride, scheduler: S)
    -> SendablePublisher<Publishers.DelayedRetry<Base, S>> where S.SchedulerTimeType.Stride: Sendable
  {
    SendablePublisher<Publishers.DelayedRetry<Base, S>>(
      unchecked: base.retry(retries, delay: delay, scheduler: scheduler))
  }

  /// Subscribes to the upstream publisher again some time after a failure that satisfies a predicate, up to a number
  /// of times.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/retry(_:delay:scheduler:when:)`` does, in a pipeline that
  /// is checked for data races.
  ///
  /// `isTransient` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func retry<S: Scheduler & Sendable>(
    _ retries: Int, delay: S.SchedulerTimeType.Stride, scheduler: S,
    when isTransient: @escaping @Sendable (Failure) -> Bool
  ) -> SendablePublisher<Publishers.DelayedRetry<Base, S>> where S.SchedulerTimeType.Stride: Sendable {
    SendablePublisher<Publishers.DelayedRetry<Base, S>>(
      unchecked: base.retry(retries, delay: delay, scheduler: scheduler, when: isTransient))
  }

  /// Subscribes to the upstream publisher again after a failure, with the number of retries and the delays of a
  /// policy.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/retry(_:scheduler:when:)`` does, in a pipeline that is
  /// checked for data races.
  ///
  /// `isTransient` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func retry<S: Scheduler & Sendable>(
    _ policy: RetryPolicy, scheduler: S, when isTransient: @escaping @Sendable (Failure) -> Bool = { _ in true }
  ) -> SendablePublisher<Publishers.DelayedRetry<Base, S>> {
    SendablePublisher<Publishers.DelayedRetry<Base, S>>(
      unchecked: base.retry(policy, scheduler: scheduler, when: isTransient))
  }

  /// Republishes all values, and finishes when upstream fails.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/ignoreFailure()`` does, in a pipeline that is checked for
  /// data races.
  @inlinable
  public func ignoreFailure() -> SendablePublisher<Publishers.Lifted<Output, Never>> {
    SendablePublisher<Publishers.Lifted<Output, Never>>(unchecked: base.ignoreFailure())
  }

  /// Republishes all values, finishes when upstream fails, and declares another failure type.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/ignoreFailure(setFailureType:)`` does, in a pipeline that
  /// is checked for data races.
  @inlinable
  public func ignoreFailure<NewFailure: Error>(setFailureType failureType: NewFailure.Type) -> SendablePublisher<
    Publishers.Lifted<Output, NewFailure>
  > {
    SendablePublisher<Publishers.Lifted<Output, NewFailure>>(unchecked: base.ignoreFailure(setFailureType: failureType))
  }

  /// Republishes all values, and finishes or stays open when upstream fails.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/ignoreFailure(completeImmediately:)`` does, in a pipeline
  /// that is checked for data races.
  @inlinable
  public func ignoreFailure(completeImmediately: Bool) -> SendablePublisher<
    Publishers.Catch<Base, Empty<Output, Never>>
  > {
    SendablePublisher<Publishers.Catch<Base, Empty<Output, Never>>>(
      unchecked: base.ignoreFailure(completeImmediately: completeImmediately))
  }

  /// Republishes all values, finishes or stays open when upstream fails, and declares another failure type.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/ignoreFailure(setFailureType:completeImmediately:)`` does,
  /// in a pipeline that is checked for data races.
  @inlinable
  public func ignoreFailure<NewFailure: Error>(setFailureType failureType: NewFailure.Type, completeImmediately: Bool)
    -> SendablePublisher<Publishers.Catch<Base, Empty<Output, NewFailure>>>
  {
    SendablePublisher<Publishers.Catch<Base, Empty<Output, NewFailure>>>(
      unchecked: base.ignoreFailure(setFailureType: failureType, completeImmediately: completeImmediately))
  }

  /// Subscribes to the upstream publisher again after a failure, when a closure that looks at the failure, or a
  /// policy, says so.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/retry(_:scheduler:decide:)`` does, in a pipeline that is
  /// checked for data races.
  ///
  /// `decide` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func retry<S: Scheduler & Sendable>(
    _ policy: RetryPolicy, scheduler: S,
    decide: @escaping @Sendable (Failure) -> RetryDecision<S.SchedulerTimeType.Stride>
  ) -> SendablePublisher<Publishers.DelayedRetry<Base, S>> {
    SendablePublisher<Publishers.DelayedRetry<Base, S>>(
      unchecked: base.retry(policy, scheduler: scheduler, decide: decide))
  }
}
