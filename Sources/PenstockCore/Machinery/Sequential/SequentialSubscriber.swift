// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// How an operator of the handover shape reacts to signals that break the rules.
///
/// Combine's operators differ here, and users can observe it.
@usableFromInline
package struct SequentialTraits: Sendable {
  /// Whether a request before the subscription, `request(.none)` and a late failure trap, and a cancel before the
  /// subscription is forgotten.
  ///
  /// Otherwise all of them take effect.
  @usableFromInline internal var isStrict: Bool
  /// Whether a value without demand traps; otherwise it is dropped.
  @usableFromInline internal var trapsUnrequested: Bool
  /// Whether no upstream is the last one.
  ///
  /// If so, a completion counts even before its subscription, and demand that downstream returns is requested from
  /// upstream instead of being returned to it.
  @usableFromInline internal var isEndless: Bool
  /// Whether nested operators of the same kind join this one, instead of being its upstreams.
  @usableFromInline internal var isJoined: Bool
  /// Whether `request(.none)` is forwarded, if the operator is not strict; otherwise it traps.
  @usableFromInline internal var acceptsZeroDemand: Bool

  @inlinable
  package init(
    isStrict: Bool = false, trapsUnrequested: Bool = false, isEndless: Bool = false, isJoined: Bool = false,
    acceptsZeroDemand: Bool = true
  ) {
    self.isStrict = isStrict
    self.trapsUnrequested = trapsUnrequested
    self.isEndless = isEndless
    self.isJoined = isJoined
    self.acceptsZeroDemand = acceptsZeroDemand && !isStrict
  }
}

/// The decision after an upstream has completed.
@usableFromInline
package enum SequentialStep<Failure: Error> {
  /// The stream ends.
  case end(Subscribers.Completion<Failure>)
  /// The next publisher of the line follows.
  case next
  /// This publisher follows.
  case by(SequentialSubscription.Start)
}

/// The decisions of an operator of the handover shape about its upstreams' completions.
@usableFromInline
package protocol SequentialRule<Output, Upstream, Downstream> {
  associatedtype Output
  associatedtype Upstream: Error
  associatedtype Downstream: Error

  /// The text that `print()` prints for the operator.
  static var name: String { get }

  static var rules: SequentialTraits { get }

  /// Decides how the stream continues.
  ///
  /// - Parameters:
  ///   - completion: The completion of the current upstream.
  ///   - isLast: Whether the line is empty.
  ///   - count: The number of upstreams that have completed.
  ///   - handover: The type of the operator. A successor has to be subscribed to with a subscriber of this type.
  func succeed<S: Subscriber>(
    _ completion: Subscribers.Completion<Upstream>, isLast: Bool, count: UInt,
    in handover: SequentialSubscriber<Self, S>.Type
  ) -> SequentialStep<Downstream> where S.Input == Output, S.Failure == Downstream
}

/// The shape of operators that subscribe to one upstream after the other, and request from each what the previous one
/// left outstanding: `catch`, `retry` and `append`.
///
/// A value costs a read of the mode and of the ledger, which is written only if demand is limited, and a mark during
/// the delivery; see ``SequentialSubscription/hold(_:)`` for its purpose.
@usableFromInline
package final class SequentialSubscriber<Rule: SequentialRule, Downstream: Subscriber>: SequentialSubscription,
  Subscriber
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
  internal static var erasure: ((SequentialSubscription) -> ErasedSubscriber)? {
    Rule.rules.isJoined ? { ErasedBox(SequentialPart(unsafeDowncast($0, to: SequentialSubscriber.self))) } : nil
  }

  /// Subscribes to the first upstream, and to its successors as long as they end synchronously.
  @inlinable @inline(__always)
  package func begin<Upstream: Publisher>(with upstream: Upstream)
  where Upstream.Output == Input, Upstream.Failure == Rule.Upstream {
    upstream.subscribe(self)
    workOff(toFirst: true)
  }

  /// The same, with a subscriber of its own for each upstream.
  @inlinable @inline(__always)
  package func beginInParts<Upstream: Publisher>(with upstream: Upstream)
  where Upstream.Output == Input, Upstream.Failure == Rule.Upstream {
    upstream.subscribe(SequentialPart(self))
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
    // In one place, since everything downstream may be inlined here.
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

  /// A function of its own, because a recursive function is not inlined.
  @inlinable @inline(never)
  internal func receiveHeld(_ input: Downstream.Input) -> Subscribers.Demand {
    if let answer = deliverHeld(input) { return answer }
    mode = openMode
    return receive(input)
  }

  /// Delivers a value if the calling thread is the holder, and stores it for the holder otherwise.
  ///
  /// - Returns: The demand to return; `nil` if there is no holder any more.
  @inlinable @inline(never)
  internal func deliverHeld(_ input: Downstream.Input) -> Subscribers.Demand? {
    let before = handovers
    guard isHolder else {
      let isHeld = hold {
        let handover = unsafeDowncast($0, to: SequentialSubscriber.self)
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
        let handover = unsafeDowncast($0, to: SequentialSubscriber.self)
        if handover.handovers == before { handover.follow(completion) }
      }
      if isHeld { return }
    }
    follow(completion)
  }

  /// Continues after an upstream's completion.
  @inlinable
  internal func follow(_ completion: Subscribers.Completion<Rule.Upstream>) {
    // The later upstreams of a strict operator have a subscriber of their own.
    guard !rules.isStrict || handovers == 0, let isLast = detach() else {
      if rules.isStrict, case .failure = completion { refuseFailure() }
      return
    }
    switch rule.succeed(completion, isLast: isLast, count: handovers, in: SequentialSubscriber.self) {
    case .end(let completion): finish(completion)
    case .next: advance()
    case .by(let start): advance([start])
    }
  }

  /// Completes the stream, unless it is over.
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

extension SequentialSubscriber: SynchronousOperator {}

/// The subscriber of a last upstream whose failure type differs from that of the previous upstreams.
///
/// It shares the operator's identity.
@usableFromInline
package struct SequentialSuccessor<Rule: SequentialRule, Channel: ForwardingChannel, Downstream: Subscriber>:
  SplitOperator
where Rule.Output == Downstream.Input, Rule.Downstream == Downstream.Failure, Channel.Downstream == Downstream.Failure {
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Channel.Upstream

  @usableFromInline package let subscription: SequentialSubscriber<Rule, Downstream>

  @inlinable
  internal init(_ handover: SequentialSubscriber<Rule, Downstream>, _ channel: Channel.Type) {
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
  internal static func end(_ whole: SequentialSubscription, with completion: Subscribers.Completion<Channel.Upstream>) {
    guard whole.successorMode != .closed, whole.detach() != nil else { return }
    whole.successorMode = .closed
    unsafeDowncast(whole, to: SequentialSubscriber<Rule, Downstream>.self).finish(completion.mapError(Channel.forward))
  }
}

extension SequentialSuccessor: SynchronousSubscriber {
  @inlinable
  package var downstreamIsSynchronous: Bool { subscription.downstream.isSynchronous }
}
