// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Subscribes to the upstream publisher again after a failure, when another publisher, made of the failures, delivers
  /// a value.
  ///
  /// ![The failures go to a publisher of the closure's. Whenever that delivers, upstream is subscribed to
  /// again.](retry-when)
  ///
  /// The closure makes one trigger for each subscriber; the trigger is subscribed to once, before upstream.
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
  ///   .retryWhen { failures in failures.prefix(5).delay(for: 1, scheduler: ImmediateScheduler.shared) }
  ///   .sink(receiveCompletion: { _ in }, receiveValue: { print($0) })
  /// // Prints "attempt 3".
  /// ```
  ///
  /// A value of the trigger counts while a failure waits for it; other values have no effect.
  ///
  /// **Demand:** passed to the current attempt, and counted; demand that it has not met is requested from the next one.
  /// Unlimited values are requested from the trigger. A value that was not requested traps, and so does
  /// `request(.none)`.
  ///
  /// **Completion:** forwarded, and cancels the trigger. When the trigger finishes, the failure that waits, or the next
  /// one, finishes the publisher.
  ///
  /// **Failure:** passed to the trigger.
  ///
  /// **Concurrency:** the next attempt is made on the thread on which the trigger delivers, in a loop if all attempts
  /// fail at once. If an attempt fails during a delivery, events from other threads wait until the delivery has
  /// returned. A cancel, on any thread, cancels the attempt or ends the wait, and cancels the trigger.
  ///
  /// Use ``retry(_:scheduler:when:)`` for a number of attempts with delays, and `retry(_:)` to subscribe again at once.
  ///
  /// - Parameter makeTrigger: A closure that makes the trigger of a publisher of the failures.
  /// - Returns: A publisher of the values of all attempts.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func retryWhen<Trigger: Publisher>(
    _ makeTrigger: @escaping (AnyPublisher<Failure, Never>) -> Trigger
  ) -> Publishers.Lifted<Output, Failure> where Trigger.Failure == Never {
    Publishers.Lifted(RetryWhenPublisher(upstream: self) { makeTrigger($0).setFailureType(to: Failure.self) })
  }

  /// Subscribes to the upstream publisher again after a failure, when another publisher, made of the failures, delivers
  /// a value, and fails when that publisher does.
  ///
  /// ![The failures go to a publisher of the closure's. Whenever that delivers, upstream is subscribed to
  /// again.](retry-when)
  ///
  /// It works as the method for triggers that cannot fail; a failure of the trigger is that of the publisher.
  ///
  /// ```swift
  /// enum Trouble: Error { case connectionLost, tokenExpired }
  /// var troubles: [Trouble] = [.connectionLost, .connectionLost, .tokenExpired]
  /// let cancellable = Deferred { Fail<Int, Trouble>(error: troubles.removeFirst()) }
  ///   .retryWhen { failures in
  ///     failures.flatMap { trouble in
  ///       trouble == .connectionLost ? Result<Void, Trouble>.success(()).publisher : .init(trouble)
  ///     }
  ///   }
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints "failure(Trouble.tokenExpired)".
  /// ```
  ///
  /// **Demand:**, **Completion:** and **Concurrency:** as for a trigger that cannot fail.
  ///
  /// **Failure:** passed to the trigger. When the trigger fails, its failure is forwarded in place of the failure that
  /// waits, or of the next one.
  ///
  /// - Parameter makeTrigger: A closure that makes the trigger of a publisher of the failures.
  /// - Returns: A publisher of the values of all attempts.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func retryWhen<Trigger: Publisher>(
    _ makeTrigger: @escaping (AnyPublisher<Failure, Never>) -> Trigger
  ) -> Publishers.Lifted<Output, Failure> where Trigger.Failure == Failure {
    Publishers.Lifted(RetryWhenPublisher(upstream: self, makeTrigger: makeTrigger))
  }
}

/// The publisher of `retryWhen`.
@usableFromInline
internal struct RetryWhenPublisher<Upstream: Publisher, Trigger: Publisher>: PortedPublisher
where Trigger.Failure == Upstream.Failure {
  @usableFromInline internal typealias Output = Upstream.Output
  @usableFromInline internal typealias Failure = Upstream.Failure

  @usableFromInline internal let upstream: Upstream
  @usableFromInline internal let makeTrigger: (AnyPublisher<Failure, Never>) -> Trigger

  @inlinable
  internal init(upstream: Upstream, makeTrigger: @escaping (AnyPublisher<Failure, Never>) -> Trigger) {
    self.upstream = upstream
    self.makeTrigger = makeTrigger
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    let trigger = RetryTrigger<Failure>()
    trigger.subscribe(to: makeTrigger(trigger.failures.eraseToAnyPublisher()))
    // A cancel reaches the current upstream: an attempt, or the wait, which is an upstream as well.
    let attempt = upstream.handleEvents(receiveCancel: { trigger.cancel() })
    SequentialSubscriber(RetryWhenRule(attempt, trigger), to: subscriber).begin(with: attempt, upstreamOf: S.self)
  }
}
