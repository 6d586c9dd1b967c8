// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A publisher of the parts of a stream.
@usableFromInline
internal struct SplitPublisher<Upstream: Publisher, Signals: Publisher, Rule: SplitRule>: SerialOperator
where
  Rule.Input == Upstream.Output, Rule.UpstreamFailure == Upstream.Failure, Rule.Signal == Signals.Output,
  Rule.UpstreamFailure == Signals.Failure
{
  @usableFromInline internal typealias Output = Rule.Outlet
  @usableFromInline internal typealias Failure = Rule.Failure

  @usableFromInline internal let upstream: Upstream
  /// The publisher that controls the division, if upstream alone does not.
  @usableFromInline internal let signals: Signals?
  @usableFromInline internal let makeRule: () -> Rule

  @inlinable
  internal init(_ upstream: Upstream, signals: Signals?, makeRule: @escaping () -> Rule) {
    self.upstream = upstream
    self.signals = signals
    self.makeRule = makeRule
  }

  /// None: the subscription outlives downstream.
  @inlinable @inline(__always)
  internal static var keepsSinks: Bool { false }

  @_alwaysEmitIntoClient @inline(__always)
  internal func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    attach(subscriber)
  }

  @inlinable
  internal func makeCore(_ downstream: __owned SubscriberCalls) -> SplitSubscriber<Rule> {
    .init(SplitEngine(makeRule(), hasSignals: signals != nil), name: Rule.name, downstream: downstream)
  }

  @inlinable @inline(__always)
  internal func start<Downstream: Subscriber>(
    _ core: SplitSubscriber<Rule>, upstreamOf downstream: Downstream.Type
  ) where Downstream.Input == Output, Downstream.Failure == Failure {
    core.beginJoining()
    core.introduce()
    upstream.subscribe(oneOfSeveral: InletSubscriber(SplitUpstreamHandler(core)), upstreamOf: Downstream.self)
    if let signals, let inlet = core.engine.signals {
      signals.subscribe(InletSubscriber(SplitSignalHandler(core, inlet)))
    }
    core.endJoining()
  }
}

/// The signals of the main upstream of a ``SplitEngine``.
@usableFromInline
internal struct SplitUpstreamHandler<Rule: SplitRule>: SubscriptionInletHandler, DirectInletHandler {
  @usableFromInline internal let split: SplitSubscriber<Rule>

  @inlinable
  internal init(_ split: SplitSubscriber<Rule>) { self.split = split }

  @inlinable
  internal var core: SerialSubscription { split }

  @inlinable
  internal var inlet: Inlet { split.engine.upstream }

  @inlinable
  internal func begin() { split.begin() }

  @inlinable
  internal func take(_ input: Rule.Input) -> Subscribers.Demand { split.take(input) }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Rule.UpstreamFailure>) { split.end(completion) }
}

/// The signals of the controlling upstream of a ``SplitEngine``.
@usableFromInline
internal struct SplitSignalHandler<Rule: SplitRule>: InletHandler {
  @usableFromInline internal typealias Failure = Rule.UpstreamFailure

  @usableFromInline internal let split: SplitSubscriber<Rule>

  @usableFromInline internal let inlet: Inlet

  @inlinable
  internal init(_ split: SplitSubscriber<Rule>, _ inlet: Inlet) {
    self.split = split
    self.inlet = inlet
  }

  @inlinable
  internal var core: SerialSubscription { split }

  /// Requests without entering the loop: the request touches no state of the loop's owner.
  @inlinable
  internal func arrive(_ subscription: any Subscription) { subscription.request(.unlimited) }

  @inlinable
  internal func take(_ input: Rule.Signal) -> Subscribers.Demand { split.take(signal: input) }

  @inlinable
  internal func end(_ completion: Subscribers.Completion<Rule.UpstreamFailure>) { split.end(completion) }
}
