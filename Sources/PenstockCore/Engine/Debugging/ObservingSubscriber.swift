// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The observations of an operator of the observing shape: it sees every signal and changes none.
@usableFromInline
package protocol ObservingStage<Input, Failure> {
  associatedtype Input
  associatedtype Failure: Error

  /// The text that `print()` prints for the operator.
  static var name: String { get }

  /// Whether it also observes signals after the end.
  static var observesAfterEnd: Bool { get }

  /// Whether upstream is cancelled before the stage sees the cancel.
  static var cancelsFirst: Bool { get }

  /// Whether signals after the end or a cancel are forwarded, as Combine's operators of this shape do.
  static var forwardsAfterEnd: Bool { get }

  /// Whether ``enclose(_:)`` does more than call its argument.
  static var encloses: Bool { get }

  /// Calls a closure that delivers a signal downstream, or passes a request or a cancel upstream.
  func enclose(_ signal: () -> Void)

  func observed(subscription: any Subscription)
  func observed(value: Input)

  /// Called with a value after the end, where such values are not forwarded.
  func observed(discarded value: Input)
  func observed(completion: Subscribers.Completion<Failure>)

  /// - Parameter isAnswer: Whether the demand is the result of `receive(_:)` for a value. It is never `.none` in that
  ///   case.
  func observed(request: Subscribers.Demand, isAnswer: Bool)
  func observedCancel()
}

// The defaults for operators beyond Combine's: nothing passes after the end, and the stage sees what upstream still
// does when it is cancelled before it sees the cancel. `print` and `handleEvents` say how Combine's differ.
extension ObservingStage {
  @_alwaysEmitIntoClient
  package static var observesAfterEnd: Bool { false }

  @_alwaysEmitIntoClient
  package static var cancelsFirst: Bool { true }

  @_alwaysEmitIntoClient
  package static var forwardsAfterEnd: Bool { false }

  @_alwaysEmitIntoClient
  package static var encloses: Bool { false }

  @_alwaysEmitIntoClient @inline(__always)
  package func enclose(_ signal: () -> Void) { signal() }

  @_alwaysEmitIntoClient
  package func observed(subscription: any Subscription) {}

  @_alwaysEmitIntoClient
  package func observed(value: Input) {}

  @_alwaysEmitIntoClient
  package func observed(discarded value: Input) {}

  @_alwaysEmitIntoClient
  package func observed(request: Subscribers.Demand, isAnswer: Bool) {}

  /// Makes the half that downstream gets; a function of its own, since it is the same for every downstream.
  @inlinable @inline(never)
  internal func makeSubscription(keeping keep: @escaping () -> Void) -> ObservingSubscription {
    ObservingSubscription(
      name: Self.name, observesAfterEnd: Self.observesAfterEnd, cancelsFirst: Self.cancelsFirst,
      reactions: ObservingSubscription.DownstreamReactions(
        request: { observed(request: $0, isAnswer: false) }, cancel: { observedCancel() },
        enclose: Self.encloses ? { enclose($0) } : nil),
      keep: keep)
  }
}

/// The untyped half of the observing shape: the subscription that downstream gets.
@usableFromInline
package final class ObservingSubscription: BaseSubscription {
  /// The stage's reactions to signals from downstream, as closures made where the types are concrete.
  @usableFromInline
  internal struct DownstreamReactions {
    @usableFromInline internal let request: (Subscribers.Demand) -> Void
    @usableFromInline internal let cancel: () -> Void
    @usableFromInline internal let enclose: ((() -> Void) -> Void)?

    @_alwaysEmitIntoClient
    internal init(
      request: @escaping (Subscribers.Demand) -> Void, cancel: @escaping () -> Void,
      enclose: ((() -> Void) -> Void)?
    ) {
      self.request = request
      self.cancel = cancel
      self.enclose = enclose
    }
  }

  @usableFromInline internal let slot = SubscriptionSlot()
  internal let reactions: Guarded<DownstreamReactions?>
  @usableFromInline internal let name: String
  @usableFromInline internal let observesAfterEnd: Bool
  internal let cancelsFirst: Bool

  /// Holds signals that arrive while the stage sees the subscription; accessed only while upstream delivers, serially.
  @exclusivity(unchecked) @usableFromInline internal var subscriptionHold = SubscriptionHold()

  /// Keeps the downstream subscriber alive as long as this subscription, as in Combine, where the two halves are one
  /// object.
  internal let keep: () -> Void

  @usableFromInline
  internal init(
    name: String, observesAfterEnd: Bool, cancelsFirst: Bool, reactions: DownstreamReactions,
    keep: @escaping () -> Void
  ) {
    self.keep = keep
    self.name = name
    self.observesAfterEnd = observesAfterEnd
    self.cancelsFirst = cancelsFirst
    self.reactions = Guarded(reactions)
  }

  /// Whether the stage observes signals now; one relaxed load, or none.
  @_alwaysEmitIntoClient
  internal var isObserving: Bool { observesAfterEnd || slot.phase != .terminal }

  @usableFromInline
  package override func request(_ demand: Subscribers.Demand) {
    let reactions = reactions.withLock { $0 }
    reactions?.request(demand)
    if let enclose = reactions?.enclose { enclose { slot.request(demand) } } else { slot.request(demand) }
  }

  /// Cancels; the stage sees a cancel before the subscription, but it has no effect, as in Combine.
  @usableFromInline
  package override func cancel() {
    // Taken out, so that only one of several racing cancels is observed.
    let reactions = reactions.withLock { reactions in
      observesAfterEnd || slot.phase == .awaiting ? reactions : reactions.take()
    }
    if !cancelsFirst { reactions?.cancel() }
    if let enclose = reactions?.enclose { enclose { slot.cancel() } } else { slot.cancel() }
    if cancelsFirst { reactions?.cancel() }
  }

  /// Performs the signals that were held, unless the stream is over.
  @usableFromInline @inline(never)
  internal func carryOutHeld() {
    while let signal = subscriptionHold.next() {
      if slot.phase == .active { signal(self) }
    }
  }

  /// Releases upstream's subscription, and the reactions to signals that can no longer come.
  @usableFromInline
  internal func finish() {
    guard slot.finish(), !observesAfterEnd else { return }
    reactions.release { $0.take() }
  }

  @usableFromInline
  package override var upstreamBase: BaseSubscription? { slot.base }

  package override func show(in link: inout LinkState) {
    super.show(in: &link)
    link.take(slot)
    link.isForwarding = true
  }

  @usableFromInline
  package override var description: String { name }
}

/// The shape of operators that observe every signal in both directions: `print` and `handleEvents`.
///
/// The stage sees a signal before it is forwarded. Values and completions are forwarded in every state of the stream, unless
/// the stage says otherwise.
///
/// Two halves, not one object: a subscription that is kept after the end must not keep the closures of `handleEvents`.
@usableFromInline
package struct ObservingSubscriber<Work: ObservingStage, Downstream: Subscriber>: SplitOperator
where Work.Input == Downstream.Input, Work.Failure == Downstream.Failure {
  @usableFromInline package typealias Input = Work.Input
  @usableFromInline package typealias Failure = Work.Failure

  @usableFromInline internal let stage: Work
  @usableFromInline internal let downstream: Downstream
  @usableFromInline package let subscription: ObservingSubscription

  @inlinable @inline(__always)
  package init(_ stage: Work, to downstream: Downstream) {
    self.stage = stage
    self.downstream = downstream
    subscription = stage.makeSubscription(keeping: { withExtendedLifetime(downstream) {} })
  }

  @_alwaysEmitIntoClient
  package func receive(subscription upstream: any Subscription) {
    if subscription.slot.phase == .awaiting { return introduce(upstream) }
    if subscription.isObserving { stage.observed(subscription: upstream) }
    upstream.cancel()
  }

  @inlinable
  internal func introduce(_ upstream: any Subscription) {
    subscription.subscriptionHold.begin()
    stage.observed(subscription: upstream)
    subscription.subscriptionHold.end()
    if subscription.slot.attach(upstream) { stage.enclose { downstream.receive(subscription: subscription) } }
    if subscription.subscriptionHold.isHolding { subscription.carryOutHeld() }
  }

  /// Holds a value that arrives before downstream has its subscription.
  ///
  /// Rare: so neither this nor the next function is specialised.
  @usableFromInline
  internal func hold(_ input: Input) -> Subscribers.Demand {
    subscription.subscriptionHold.hold { _ in
      let more = deliver(input)
      if more != .none { subscription.slot.request(more) }
    }
    return .none
  }

  @_alwaysEmitIntoClient
  package func receive(_ input: Input) -> Subscribers.Demand {
    subscription.subscriptionHold.isHolding ? hold(input) : deliver(input)
  }

  @inlinable
  internal func deliver(_ input: Input) -> Subscribers.Demand {
    // Read once: a cancel on another thread must not let a value pass unseen.
    let isOver = !(Work.observesAfterEnd && Work.forwardsAfterEnd) && subscription.slot.phase == .terminal
    if !Work.forwardsAfterEnd, isOver {
      stage.observed(discarded: input)
      return .none
    }
    if Work.observesAfterEnd || !isOver { stage.observed(value: input) }
    let more = Work.encloses ? enclosed(input) : downstream.receive(input)
    if more != .none, subscription.isObserving { stage.observed(request: more, isAnswer: true) }
    return more
  }

  @_alwaysEmitIntoClient
  internal func enclosed(_ input: Input) -> Subscribers.Demand {
    var more = Subscribers.Demand.none
    stage.enclose { more = downstream.receive(input) }
    return more
  }

  @usableFromInline
  internal func hold(_ completion: Subscribers.Completion<Failure>) {
    subscription.subscriptionHold.hold { _ in finish(completion) }
  }

  @_alwaysEmitIntoClient
  package func receive(completion: Subscribers.Completion<Failure>) {
    if subscription.subscriptionHold.isHolding { hold(completion) } else { finish(completion) }
  }

  @inlinable
  internal func finish(_ completion: Subscribers.Completion<Failure>) {
    if !Work.forwardsAfterEnd, subscription.slot.phase == .terminal { return }
    let isObserving = subscription.isObserving
    subscription.finish()
    if isObserving { stage.observed(completion: completion) }
    stage.enclose { downstream.receive(completion: completion) }
  }
}

extension ObservingSubscriber: LinkSubscriber {}
