// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A publisher of one stream that a breaker has let through.
@usableFromInline
internal struct CalledPublisher<Upstream: Publisher, Time: Strideable>: Publisher {
  @usableFromInline internal typealias Output = Upstream.Output
  @usableFromInline internal typealias Failure = Upstream.Failure

  @usableFromInline internal let upstream: Upstream
  @usableFromInline internal let call: BreakerCall<Time>

  @inlinable
  internal init(upstream: Upstream, call: BreakerCall<Time>) {
    self.upstream = upstream
    self.call = call
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    upstream.subscribe(ObservingSubscriber(BreakerStage<Output, Failure, Time>(call), to: subscriber))
  }
}

/// Reports to a breaker how a stream that it has let through ends.
@usableFromInline
internal struct BreakerStage<Input, Failure: Error, Time: Strideable>: ObservingStage {
  @usableFromInline internal let call: BreakerCall<Time>

  @inlinable
  internal init(_ call: BreakerCall<Time>) { self.call = call }

  @inlinable
  internal static var name: String { "CircuitBreaker" }

  @inlinable
  internal func observed(value: Input) { call.noteValue() }

  @inlinable
  internal func observed(completion: Subscribers.Completion<Failure>) { call.end(with: completion) }

  /// The next subscription is let through only when the service has been told to cancel this one.
  @inlinable
  internal func observedCancel() { call.cancel() }
}
