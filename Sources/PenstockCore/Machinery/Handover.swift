// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// How an operator of the handover shape treats what is out of turn.
///
/// Combine's operators differ, and users can see it.
@usableFromInline
package struct HandoverRules: Sendable {
  /// Whether a request before the subscription, a request for nothing and a failure out of turn trap, and a cancel
  /// before the subscription is forgotten; otherwise all of them count.
  @usableFromInline internal var isStrict: Bool
  /// Whether a value that nobody has asked for traps; otherwise it is dropped.
  @usableFromInline internal var trapsUnrequested: Bool
  /// Whether there is no last upstream.
  ///
  /// A completion counts then even before its subscription, and demand that downstream returns is requested, instead of
  /// being returned in turn.
  @usableFromInline internal var isEndless: Bool
  /// Whether parts of the same kind join the operator, instead of standing above it.
  @usableFromInline internal var isJoined: Bool
  /// Whether a request for nothing is let through, if the operator is not strict; otherwise it traps.
  @usableFromInline internal var acceptsNothing: Bool

  @inlinable
  package init(
    isStrict: Bool = false, trapsUnrequested: Bool = false, isEndless: Bool = false, isJoined: Bool = false,
    acceptsNothing: Bool = true
  ) {
    self.isStrict = isStrict
    self.trapsUnrequested = trapsUnrequested
    self.isEndless = isEndless
    self.isJoined = isJoined
    self.acceptsNothing = acceptsNothing && !isStrict
  }
}

/// What becomes of the stream when an upstream has completed.
@usableFromInline
package enum Succession<Failure: Error> {
  /// It ends.
  case end(Subscribers.Completion<Failure>)
  /// The next publisher of the line takes over.
  case next
  /// This publisher takes over.
  case by(HandoverSubscription.Start)
}

/// What an operator of the handover shape does when an upstream completes.
@usableFromInline
package protocol HandoverRule<Output, Upstream, Downstream> {
  associatedtype Output
  associatedtype Upstream: Error
  associatedtype Downstream: Error

  /// What `print()` shows for the operator.
  static var name: String { get }

  static var rules: HandoverRules { get }

  /// Decides how it goes on.
  ///
  /// - Parameters:
  ///   - completion: Upstream's.
  ///   - isLast: Whether there is nobody in the line.
  ///   - count: The number of upstreams that have completed.
  ///   - handover: The operator. A publisher that takes over has to be given this type of subscriber.
  func succeed<S: Subscriber>(
    _ completion: Subscribers.Completion<Upstream>, isLast: Bool, count: UInt, in handover: Handover<Self, S>.Type
  ) -> Succession<Downstream> where S.Input == Output, S.Failure == Downstream
}

/// The shape of operators that have one upstream after the other, and let each ask for what the one before it left
/// outstanding: `catch`, `retry` and `append`.
///
/// A value costs a look at the mode and at the ledger, which is written to only where demand is not unlimited, and a mark
/// that it is being delivered; see ``HandoverSubscription/hold(_:)`` for what that is about.
@usableFromInline
package final class Handover<Rule: HandoverRule, Downstream: Subscriber>: HandoverSubscription, Subscriber
where Rule.Output == Downstream.Input, Rule.Downstream == Downstream.Failure {
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Rule.Upstream

  @usableFromInline internal let rule: Rule
  @usableFromInline internal let downstream: Downstream

  @inlinable @inline(__always)
  package init(_ rule: Rule, line: [Start] = [], to downstream: Downstream) {
    self.rule = rule
    self.downstream = downstream
    super.init(name: Rule.name, rules: Rule.rules, line: line, erase: Self.erasure)
  }

  @inlinable
  internal static var erasure: ((HandoverSubscription) -> ErasedSubscriber)? {
    Rule.rules.isJoined ? { ErasedBox(HandoverPart(unsafeDowncast($0, to: Handover.self))) } : nil
  }

  /// Subscribes to the first upstream, and to those after it, for as long as they end at once.
  @inlinable @inline(__always)
  package func begin<Upstream: Publisher>(with upstream: Upstream)
  where Upstream.Output == Input, Upstream.Failure == Rule.Upstream {
    upstream.subscribe(self)
    workOff(toFirst: true)
  }

  /// The same, with a subscriber for each upstream.
  @inlinable @inline(__always)
  package func beginInParts<Upstream: Publisher>(with upstream: Upstream)
  where Upstream.Output == Input, Upstream.Failure == Rule.Upstream {
    upstream.subscribe(HandoverPart(self))
    workOff(toFirst: true)
  }

  @inlinable
  package func receive(subscription: any Subscription) {
    guard let early = attach(subscription) else { return }
    downstream.receive(subscription: makeSubscription())
    release(afterIntroduction: true)
    if early != .none, !ledger.isClosed { subscription.request(early) }
  }

  @inlinable
  package func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    let before = handovers
    let isCounting = mode == .counting
    if !isCounting, mode != .passing { return receiveOutOfTurn(input) }
    guard isCounting ? ledger.takeOne() : !ledger.isClosed else {
      if isCounting { refuse() }
      return .none
    }
    let isOutermost = isCounting && !isDelivering
    // Written by the outermost delivery alone: so it is right again whatever an upstream does that is not serial.
    if isOutermost { isDelivering = true }
    // In one place: what is inlined here is all that is downstream.
    let more = downstream.receive(input)
    if isCounting {
      if handovers != before { return conclude(more, isOutermost: isOutermost) }
      if isOutermost { isDelivering = false }
    }
    return more == .none ? .none : answer(more, handovers: before)
  }

  @inlinable @inline(never)
  internal func receiveOutOfTurn(_ input: Downstream.Input) -> Subscribers.Demand {
    switch mode {
    case .tracking: return deliverTracked(input)
    case .held: return receiveHeld(input)
    case .counting, .passing: return receive(input)
    case .closed:
      if handovers == 0 { refuse() }
      return .none
    }
  }

  @inlinable @inline(never)
  internal func deliverTracked(_ input: Downstream.Input) -> Subscribers.Demand {
    guard takesOne(), beginDelivery() else { return .none }
    defer { endDelivery() }
    let before = handovers
    let isOutermost = !isDelivering
    if isOutermost { isDelivering = true }
    let more = downstream.receive(input)
    if handovers != before { return conclude(more, isOutermost: isOutermost) }
    if isOutermost { isDelivering = false }
    return more == .none ? .none : answer(more, handovers: before)
  }

  /// By itself: a function that calls itself is not inlined.
  @inlinable @inline(never)
  internal func receiveHeld(_ input: Downstream.Input) -> Subscribers.Demand {
    if let answer = deliverHeld(input) { return answer }
    mode = openMode
    return receive(input)
  }

  /// Delivers a value on the thread that is the holder, or leaves it to that thread.
  ///
  /// - Returns: What to answer; `nil` if there is no holder any more.
  @inlinable @inline(never)
  internal func deliverHeld(_ input: Downstream.Input) -> Subscribers.Demand? {
    let before = handovers
    guard isHolder else {
      let isHeld = hold {
        let handover = unsafeDowncast($0, to: Handover.self)
        if handover.handovers == before, handover.takesOne() {
          let more = handover.downstream.receive(input)
          if more != .none { handover.request(more) }
        }
      }
      return isHeld ? .some(.none) : nil
    }
    guard takesOne() else { return .some(.none) }
    let more = downstream.receive(input)
    return more == .none ? .some(.none) : answer(more, handovers: before)
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Rule.Upstream>) {
    // Without a subscription it is not known whether downstream is busy.
    if mode == .held || mode == .closed, mayHaveToWait {
      let before = handovers
      let isHeld = hold {
        let handover = unsafeDowncast($0, to: Handover.self)
        if handover.handovers == before { handover.follow(completion) }
      }
      if isHeld { return }
    }
    follow(completion)
  }

  /// Goes on after an upstream's end.
  @inlinable
  internal func follow(_ completion: Subscribers.Completion<Rule.Upstream>) {
    // A strict operator's other upstreams have a subscriber of their own.
    guard !rules.isStrict || handovers == 0, let isLast = detach() else {
      if rules.isStrict, case .failure = completion { refuseFailure() }
      return
    }
    switch rule.succeed(completion, isLast: isLast, count: handovers, in: Handover.self) {
    case .end(let completion): finish(completion)
    case .next: advance()
    case .by(let start): advance([start])
    }
  }

  /// Ends the stream, unless it is over.
  @inlinable
  internal func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
    guard end() != nil else { return }
    downstream.receive(completion: completion)
    settle()
  }

  @usableFromInline
  package override var mirrorChildren: [(label: String?, value: Any)] {
    rules.isStrict ? [("downstream", downstream), ("demand", ledger.balance)] : []
  }
}

extension Handover: ChainLink {}

/// The subscriber of a last upstream whose failure is of another type than that of the ones before it.
///
/// To everybody outside it is the operator itself.
@usableFromInline
package struct HandoverSuccessor<Rule: HandoverRule, Channel: ForwardingChannel, Downstream: Subscriber>: SplitOperator
where Rule.Output == Downstream.Input, Rule.Downstream == Downstream.Failure, Channel.Downstream == Downstream.Failure {
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Channel.Upstream

  @usableFromInline package let subscription: Handover<Rule, Downstream>

  @inlinable
  internal init(_ handover: Handover<Rule, Downstream>, _ channel: Channel.Type) {
    subscription = handover
  }

  @inlinable
  package func receive(subscription upstream: any Subscription) {
    _ = subscription.attach(upstream, toSuccessor: true)
  }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    switch subscription.successorMode {
    case .closed: return .none
    case .tracking: return subscription.deliverTracked(input)
    case .counting, .passing: return subscription.ledger.isClosed ? .none : subscription.downstream.receive(input)
    case .held: return receiveHeld(input)
    }
  }

  @inlinable @inline(never)
  internal func receiveHeld(_ input: Input) -> Subscribers.Demand {
    if let answer = subscription.deliverHeld(input) { return answer }
    subscription.successorMode = subscription.openMode
    return receive(input)
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Channel.Upstream>) {
    if subscription.successorMode == .held, subscription.mayHaveToWait,
      subscription.hold({ Self.end($0, with: completion) })
    {
      return
    }
    Self.end(subscription, with: completion)
  }

  @inlinable
  internal static func end(_ whole: HandoverSubscription, with completion: Subscribers.Completion<Channel.Upstream>) {
    guard whole.successorMode != .closed, whole.detach() != nil else { return }
    whole.successorMode = .closed
    unsafeDowncast(whole, to: Handover<Rule, Downstream>.self).finish(completion.mapError(Channel.forward))
  }
}

extension HandoverSuccessor: Relay {
  @inlinable
  package var relaysBelow: Bool { subscription.downstream.isRelay }
}
