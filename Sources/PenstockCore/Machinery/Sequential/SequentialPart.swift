// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The subscriber of one of several upstreams: it keeps signals that an upstream sends after its end apart from those
/// of its successor.
///
/// Nested operators of the same kind join the operator, instead of being its upstreams; see `Concatenate`.
@usableFromInline
package struct SequentialPart<Rule: SequentialRule, Downstream: Subscriber>: SplitOperator
where Rule.Output == Downstream.Input, Rule.Downstream == Downstream.Failure {
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Rule.Upstream

  @usableFromInline package let subscription: SequentialSubscriber<Rule, Downstream>
  @usableFromInline package let combineIdentifier = CombineIdentifier()
  /// The number of completed upstreams at the time of this one's turn.
  @usableFromInline internal let number: UInt

  /// Created by the thread that subscribes to the upstream.
  @inlinable
  internal init(_ handover: SequentialSubscriber<Rule, Downstream>) {
    subscription = handover
    number = handover.handovers
  }

  @inlinable
  internal var isCurrent: Bool { subscription.handovers == number }

  @inlinable
  package func receive(subscription upstream: any Subscription) {
    if isCurrent { subscription.receive(subscription: upstream) } else { upstream.cancel() }
  }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    isCurrent ? subscription.receive(input) : .none
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    if isCurrent { subscription.receive(completion: completion) }
  }
}

extension SequentialPart: SynchronousSubscriber {
  @inlinable
  package var downstreamIsSynchronous: Bool { subscription.downstream.isSynchronous }
}

extension SequentialPart: Joinable {
  @inlinable
  internal var whole: SequentialSubscription { subscription }

  @inlinable
  internal static func part(of whole: SequentialSubscription) -> Self {
    Self(unsafeDowncast(whole, to: SequentialSubscriber<Rule, Downstream>.self))
  }
}
