// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A publisher of the parts of a stream.
@usableFromInline
package struct SplitPublisher<Upstream: Publisher, Signals: Publisher, Rule: SplitRule>: PortedPublisher
where
  Rule.Input == Upstream.Output, Rule.UpstreamFailure == Upstream.Failure, Rule.Signal == Signals.Output,
  Rule.UpstreamFailure == Signals.Failure
{
  @usableFromInline package typealias Output = Rule.Outlet
  @usableFromInline package typealias Failure = Rule.Failure

  @usableFromInline internal let upstream: Upstream
  /// What controls the division, if anything but upstream does.
  @usableFromInline internal let signals: Signals?
  @usableFromInline internal let makeRule: () -> Rule

  @inlinable
  package init(_ upstream: Upstream, signals: Signals?, makeRule: @escaping () -> Rule) {
    self.upstream = upstream
    self.signals = signals
    self.makeRule = makeRule
  }

  @_alwaysEmitIntoClient @inline(__always)
  package func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    let core = SplitCore(makeRule(), hasSignals: signals != nil, to: subscriber)
    core.beginJoining()
    core.introduce()
    upstream.subscribe(oneOfSeveral: InletSubscriber(SplitUpstreamHandler(core)), upstreamOf: S.self)
    signals?.subscribe(InletSubscriber(SplitSignalHandler(core)))
    core.endJoining()
  }
}

/// The signals of the main upstream of a ``SplitCore``.
@usableFromInline
internal struct SplitUpstreamHandler<Rule: SplitRule>: SubscriptionInletHandler, DirectInletHandler {
  @usableFromInline internal let split: SplitCore<Rule>

  @inlinable
  internal init(_ split: SplitCore<Rule>) { self.split = split }

  @inlinable
  internal var core: SerialSubscription { split }

  @inlinable
  internal var inlet: Inlet { split.upstream }

  @inlinable
  internal func begin() { split.begin() }

  @inlinable
  internal func take(_ input: Rule.Input) -> Subscribers.Demand { split.take(input) }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Rule.UpstreamFailure>) { split.end(completion) }
}

/// The signals of the controlling upstream of a ``SplitCore``.
@usableFromInline
internal struct SplitSignalHandler<Rule: SplitRule>: InletHandler {
  @usableFromInline internal typealias Failure = Rule.UpstreamFailure

  @usableFromInline internal let split: SplitCore<Rule>

  @inlinable
  internal init(_ split: SplitCore<Rule>) { self.split = split }

  @inlinable
  internal var core: SerialSubscription { split }

  @inlinable
  internal var inlet: Inlet { split.signals }

  /// Requests without entering the loop: the request touches no state of the loop's owner.
  @inlinable
  internal func arrive(_ subscription: any Subscription) { subscription.request(.unlimited) }

  @inlinable
  internal func take(_ input: Rule.Signal) -> Subscribers.Demand { split.take(signal: input) }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Rule.UpstreamFailure>) { split.end(completion) }
}
