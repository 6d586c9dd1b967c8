// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The subscriber of one of several upstreams: it keeps signals that an upstream sends after its end apart from those
/// of its successor.
///
/// Nested operators of the same kind join the operator, instead of being its upstreams.
@usableFromInline
package struct SequentialPart<Rule: SequentialRule>: SplitOperator {
  @usableFromInline package typealias Input = Rule.Output
  @usableFromInline package typealias Failure = Rule.Upstream

  @usableFromInline package let subscription: SequentialSubscriber<Rule>
  /// The number of completed upstreams at the time of this one's turn.
  @usableFromInline internal let number: UInt

  /// Created by the thread that subscribes to the upstream.
  @_alwaysEmitIntoClient
  internal init(_ subscription: SequentialSubscriber<Rule>) {
    self.subscription = subscription
    number = subscription.completedUpstreams
  }

  @_alwaysEmitIntoClient
  package var combineIdentifier: CombineIdentifier { subscription.combineIdentifier }

  @_alwaysEmitIntoClient
  internal var isCurrent: Bool { subscription.completedUpstreams == number }

  @_alwaysEmitIntoClient
  package func receive(subscription upstream: any Subscription) {
    if isCurrent { subscription.receive(subscription: upstream) } else { upstream.cancel() }
  }

  @_alwaysEmitIntoClient
  package func receive(_ input: Input) -> Subscribers.Demand {
    isCurrent ? subscription.receive(input) : .none
  }

  @_alwaysEmitIntoClient
  package func receive(completion: Subscribers.Completion<Failure>) {
    if isCurrent { subscription.receive(completion: completion) }
  }
}

extension SequentialPart: _TurnSubscriber {
  @_alwaysEmitIntoClient
  package var _erased: AnySubscriber<Input, Failure> {
    // The operator's own implementation, which is compiled in any case.
    Rule.traits.isJoined
      ? AnySubscriber(erasure: subscription.erasedMaker.unsafelyUnwrapped.perform(subscription)) : AnySubscriber(self)
  }

  @_alwaysEmitIntoClient @inline(__always)
  package static var _place: _SubscriberPlace { .first }
}

extension SequentialSubscriber {
  /// Creates the operator with one publisher in the line.
  @inlinable @inline(never)
  package convenience init<Suffix: Publisher, Downstream: Subscriber>(
    _ rule: Rule, followedBy suffix: Suffix, to downstream: Downstream
  )
  where
    Suffix.Output == Input, Suffix.Failure == Failure, Downstream.Input == Rule.Output,
    Downstream.Failure == Rule.Downstream
  {
    self.init(rule, successor: SequentialSubscriber.startPart(suffix), to: downstream)
  }

  // Not forced inline: a closure that is made in `receive(subscriber:)` itself crashes the optimiser.
  @inlinable
  internal static func startPart<Suffix: Publisher>(_ suffix: Suffix) -> Start
  where Suffix.Output == Input, Suffix.Failure == Failure {
    Start { suffix._subscribe(inTurn: SequentialPart(SequentialSubscriber.typed($0))) }
  }

  /// Subscribes to the first upstream as ``begin(with:upstreamOf:)`` does, with a subscriber of its own for each upstream.
  @inlinable @inline(__always)
  package func beginInParts<Prefix: Publisher>(with prefix: Prefix)
  where Prefix.Output == Input, Prefix.Failure == Failure {
    prefix._subscribe(inTurn: SequentialPart(self))
    subscribeToSuccessors(ofFirst: true)
  }
}
