// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The subscriber of a last upstream whose failure type differs from that of the previous upstreams.
///
/// It shares the operator's identity.
@usableFromInline
package struct ReplacementSubscriber<Rule: ReplacementRule>: SplitOperator {
  @usableFromInline package typealias Input = Rule.Output
  @usableFromInline package typealias Failure = Rule.Channel.Upstream

  @usableFromInline package let subscription: SequentialSubscriber<Rule>

  @_alwaysEmitIntoClient
  internal init(_ subscription: SequentialSubscriber<Rule>) { self.subscription = subscription }

  @_alwaysEmitIntoClient
  package func receive(subscription upstream: any Subscription) {
    _ = subscription.attach(upstream, isReplacement: true)
  }

  @_alwaysEmitIntoClient
  package func receive(_ input: Input) -> Subscribers.Demand {
    switch subscription.replacementMode {
    case .closed: return subscription.ledger.isClosed ? .none : subscription.deliverEarly(input)
    case .counting, .passing: return subscription.ledger.isClosed ? .none : subscription.deliver(value: input)
    case .held: return receiveHeld(input)
    }
  }

  /// Not specialised, as in ``SequentialSubscriber``.
  @usableFromInline
  internal func receiveHeld(_ input: Input) -> Subscribers.Demand {
    if let demand = subscription.deliverHeld(input) { return demand }
    subscription.replacementMode = subscription.unheldMode
    return receive(input)
  }

  @_alwaysEmitIntoClient
  package func receive(completion: Subscribers.Completion<Failure>) {
    // Before the subscription it is not known whether downstream is busy.
    let mode = subscription.replacementMode
    if mode == .held || mode == .closed, subscription.mayHaveToWait, hold(completion) { return }
    Self.finish(subscription, completion)
  }

  /// Stores a completion for the holder.
  ///
  /// - Returns: Whether there is a holder.
  @usableFromInline
  internal func hold(_ completion: Subscribers.Completion<Failure>) -> Bool {
    subscription.hold { ReplacementSubscriber.finish(.typed($0), completion) }
  }

  @inlinable
  internal static func finish(
    _ subscription: SequentialSubscriber<Rule>, _ completion: Subscribers.Completion<Failure>
  ) {
    // An end before the subscription counts as well, since there may be no other.
    if subscription.replacementMode != .closed, subscription.detach() == nil { return }
    subscription.replacementMode = .closed
    subscription.finish(completion.mapError(Rule.Channel.forward))
  }
}

extension ReplacementSubscriber {
  @_alwaysEmitIntoClient @inline(__always)
  package static var _place: _SubscriberPlace { .first }
}
