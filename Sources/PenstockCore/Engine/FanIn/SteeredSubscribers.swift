// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

extension Publisher {
  /// Subscribes an operator of the steered shape to this publisher and to the one that controls it.
  ///
  /// - Parameters:
  ///   - signals: The controlling publisher.
  ///   - stage: The stage of the operator.
  ///   - downstream: The subscriber for the stage's outputs.
  @inlinable
  package func steer<Signals: Publisher, Work: SteeredStage, Downstream: Subscriber>(
    by signals: Signals, _ stage: Work, to downstream: Downstream
  )
  where
    Work.Input == Output, Work.Failure == Failure, Work.Signal == Signals.Output,
    Work.SignalFailure == Signals.Failure, Downstream.Input == Work.Output, Downstream.Failure == Failure
  {
    let core = SteeredCore(stage, to: downstream)
    core.beginJoining()
    if Work.rules.introducesFirst { core.introduce() }
    if Work.rules.subscribesToSignalsFirst, Work.rules.subscribesAfterEnd || !core.isClosed {
      signals.subscribe(InletSubscriber(SteeredSignalHandler(core)))
    }
    if Work.rules.subscribesAfterEnd || !core.isClosed {
      subscribe(oneOfSeveral: InletSubscriber(SteeredUpstreamHandler(core)), upstreamOf: Downstream.self)
    }
    if !Work.rules.subscribesToSignalsFirst, Work.rules.subscribesAfterEnd || !core.isClosed {
      signals.subscribe(InletSubscriber(SteeredSignalHandler(core)))
    }
    core.endJoining()
  }

  /// A publisher of the outputs of a stage of the steered shape, for an operator without a public type.
  @inlinable
  package func steered<Signals: Publisher, Work: SteeredStage>(
    by signals: Signals, _ stage: Work
  ) -> Publishers.Lifted<Work.Output, Failure>
  where
    Work.Input == Output, Work.Failure == Failure, Work.Signal == Signals.Output,
    Work.SignalFailure == Signals.Failure
  {
    Publishers.Lifted(SteeredPublisher(upstream: self, signals: signals, stage: stage))
  }
}

/// The publisher of an operator of the steered shape that has no public type.
@usableFromInline
package struct SteeredPublisher<Upstream: Publisher, Signals: Publisher, Work: SteeredStage>: PortedPublisher
where
  Work.Input == Upstream.Output, Work.Failure == Upstream.Failure, Work.Signal == Signals.Output,
  Work.SignalFailure == Signals.Failure
{
  @usableFromInline package typealias Output = Work.Output
  @usableFromInline package typealias Failure = Work.Failure

  @usableFromInline internal let upstream: Upstream
  @usableFromInline internal let signals: Signals
  @usableFromInline internal let stage: Work

  @inlinable
  internal init(upstream: Upstream, signals: Signals, stage: Work) {
    self.upstream = upstream
    self.signals = signals
    self.stage = stage
  }

  @_alwaysEmitIntoClient @inline(__always)
  package func receive<S: Subscriber>(subscriber: S) where Work.Output == S.Input, Work.Failure == S.Failure {
    upstream.steer(by: signals, stage, to: subscriber)
  }
}

/// The signals of the main upstream of a ``SteeredCore``.
@usableFromInline
internal struct SteeredUpstreamHandler<Work: SteeredStage>: SubscriptionInletHandler,
  DirectInletHandler
{
  @usableFromInline internal typealias Core = SteeredCore<Work>

  @usableFromInline internal let steered: Core

  @_alwaysEmitIntoClient
  internal init(_ steered: Core) { self.steered = steered }

  @_alwaysEmitIntoClient
  internal static var acceptsEarlySignals: Bool { Work.rules.acceptsEarlySignals }

  @_alwaysEmitIntoClient
  internal var core: SerialSubscription { steered }

  @_alwaysEmitIntoClient
  internal var inlet: Inlet { steered.upstream }

  @_alwaysEmitIntoClient
  internal var mustWait: Bool { Core.callsOut && steered.isDeciding }

  @_alwaysEmitIntoClient
  internal func begin() { steered.begin() }

  @_alwaysEmitIntoClient
  internal func takeOutsideLoop(_ input: Work.Input) -> Subscribers.Demand? {
    if !Work.rules.dropsUntilSignal || steered.isOpen.load(ordering: .relaxed) { return nil }
    steered.drop()
    return Subscribers.Demand.none
  }

  @_alwaysEmitIntoClient
  internal func take(_ input: Work.Input) -> Subscribers.Demand { steered.take(input) }

  @_alwaysEmitIntoClient
  internal func end(_ completion: Subscribers.Completion<Work.Failure>) { steered.end(completion) }
}

/// The signals of the controlling upstream of a ``SteeredCore``.
@usableFromInline
internal struct SteeredSignalHandler<Work: SteeredStage>: InletHandler {
  @usableFromInline internal typealias Core = SteeredCore<Work>

  @usableFromInline internal let steered: Core

  @_alwaysEmitIntoClient
  internal init(_ steered: Core) { self.steered = steered }

  @_alwaysEmitIntoClient
  internal static var sharesIdentity: Bool { Work.rules.sharesIdentity }

  @_alwaysEmitIntoClient
  internal var core: SerialSubscription { steered }

  @_alwaysEmitIntoClient
  internal var inlet: Inlet { steered.signals }

  @_alwaysEmitIntoClient
  internal var mustWait: Bool { Core.callsOut && steered.isDeciding }

  /// Requests without entering the loop: the request touches no state of the loop's owner.
  @_alwaysEmitIntoClient
  internal func arrive(_ subscription: any Subscription) { subscription.request(Work.rules.signals) }

  @_alwaysEmitIntoClient
  internal func take(_ input: Work.Signal) -> Subscribers.Demand { steered.take(signal: input) }

  @_alwaysEmitIntoClient
  internal func end(_ completion: Subscribers.Completion<Work.SignalFailure>) { steered.endSignals(completion) }
}
