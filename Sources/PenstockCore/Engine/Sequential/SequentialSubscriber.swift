// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The shape of operators that subscribe to one upstream after the other, and request from each the demand that the
/// previous one left outstanding: `catch`, `retry` and `append`.
///
/// A value costs a read of the mode and of the ledger, which is written only if demand is limited, and a mark during
/// the delivery; see ``SequentialSubscription/hold(_:)`` for its purpose. Downstream is embedded, which costs the value
/// an indirect call: so all of this, and the code that attaches the upstreams, is compiled once for each rule, not for
/// each pipeline.
@usableFromInline
package final class SequentialSubscriber<Rule: SequentialRule>: SequentialSubscription, Subscriber {
  @usableFromInline package typealias Input = Rule.Output
  @usableFromInline package typealias Failure = Rule.Upstream

  @usableFromInline internal let rule: Rule

  @inlinable @inline(never)
  package convenience init<Downstream: Subscriber>(_ rule: Rule, successor: Start? = nil, to downstream: Downstream)
  where Downstream.Input == Rule.Output, Downstream.Failure == Rule.Downstream {
    self.init(rule, successor, downstream: SubscriberCalls(for: downstream))
    embed(downstream)
  }

  @inlinable @inline(never)
  internal init(_ rule: Rule, _ successor: Start?, downstream: SubscriberCalls) {
    self.rule = rule
    super.init(
      name: Rule.name, traits: Rule.traits, successor: successor, erasedMaker: Self.erasedMaker, downstream: downstream)
  }

  /// The operator whose untyped half is given.
  ///
  /// Called by the name of the class: a closure would capture `Self`.
  @_alwaysEmitIntoClient
  internal static func typed(_ subscription: SequentialSubscription) -> SequentialSubscriber {
    unsafeDowncast(subscription, to: SequentialSubscriber.self)
  }

  @_alwaysEmitIntoClient
  internal static var erasedMaker: ErasedMaker? {
    Rule.traits.isJoined ? ErasedMaker { ErasedBox(SequentialPart(SequentialSubscriber.typed($0))) } : nil
  }

  /// Subscribes to the first upstream, and to its successors as long as they end synchronously.
  @inlinable @inline(__always)
  package func begin<Upstream: Publisher, Downstream: Subscriber>(
    with upstream: Upstream, upstreamOf downstream: Downstream.Type
  ) where Upstream.Output == Input, Upstream.Failure == Rule.Upstream {
    upstream.subscribe(first: self, upstreamOf: Downstream.self)
    subscribeToSuccessors(ofFirst: true)
  }

  @_alwaysEmitIntoClient @inline(never)
  package func receive(subscription: any Subscription) {
    guard let early = attach(subscription) else { return }
    deliver(subscription: makeSubscription())
    deliverHeldSignals(afterIntroduction: true)
    if early != .none, !ledger.isClosed { subscription.request(early) }
  }

  @_alwaysEmitIntoClient
  package func receive(_ input: Rule.Output) -> Subscribers.Demand {
    let mode = mode
    switch mode {
    case .counting: guard ledger.takeOne() else { return refuse() }
    case .passing: if ledger.isClosed { return .none }
    case .held: return receiveHeld(input)
    case .closed: return receiveEarly(input)
    }
    // In one place, since everything downstream may be inlined here.
    return deliver(input, isCounting: mode == .counting)
  }

  /// Delivers a value, and notices whether its upstream ends meanwhile.
  ///
  /// - Parameter isCounting: Whether that upstream may have a successor.
  @inlinable @inline(__always)
  internal func deliver(_ input: Rule.Output, isCounting: Bool) -> Subscribers.Demand {
    let before = completedUpstreams
    let isOutermost = isCounting && !isDelivering
    // Only the outermost delivery writes it: so it becomes correct again even after an upstream that is not serial.
    if isOutermost { isDelivering = true }
    rule.willDeliver()
    let more = deliver(value: input)
    if isCounting {
      if completedUpstreams != before { return endDeliveryOfCompleted(more, isOutermost: isOutermost) }
      if isOutermost { isDelivering = false }
    }
    return more == .none ? .none : route(more, since: before)
  }

  /// Handles a value while there is no upstream.
  ///
  /// In an operator without a last upstream, the value comes from the next upstream, which has yet to send its
  /// subscription.
  @usableFromInline
  internal func receiveEarly(_ input: Rule.Output) -> Subscribers.Demand {
    guard traits.isEndless, completedUpstreams > 0 else { return refuseClosed() }
    return deliverEarly(input)
  }

  /// Delivers a value of a later upstream that has yet to send its subscription, as Combine does.
  ///
  /// The demand that downstream returns for it is requested with the rest when the subscription arrives.
  @usableFromInline
  internal func deliverEarly(_ input: Rule.Output) -> Subscribers.Demand {
    let before = completedUpstreams
    let isHeld =
      mayHaveToWait
      && hold {
        let me = SequentialSubscriber.typed($0)
        if me.completedUpstreams == before { me.takeEarly(input) }
      }
    if !isHeld { takeEarly(input) }
    return .none
  }

  private func takeEarly(_ input: Rule.Output) {
    guard ledger.takeOne() else {
      refuse()
      return
    }
    let more = deliver(input, isCounting: true)
    if more != .none { request(more) }
  }

  // Signals are rarely held: this and the next functions are not specialised for each pipeline, which would be more
  // code than the path of a value.

  @usableFromInline
  internal func receiveHeld(_ input: Rule.Output) -> Subscribers.Demand {
    if let demand = deliverHeld(input) { return demand }
    mode = unheldMode
    return receive(input)
  }

  /// Delivers a value if the calling thread is the holder, and stores it for the holder otherwise.
  ///
  /// - Returns: The demand to return; `nil` if there is no holder any more.
  internal func deliverHeld(_ input: Rule.Output) -> Subscribers.Demand? {
    let before = completedUpstreams
    guard isHolder else {
      let isHeld = hold {
        let me = SequentialSubscriber.typed($0)
        if me.completedUpstreams == before, me.takeOne() {
          me.rule.willDeliver()
          let more = me.deliver(value: input)
          if more != .none { me.request(more) }
        }
      }
      return isHeld ? .some(.none) : nil
    }
    guard takeOne() else { return .some(.none) }
    rule.willDeliver()
    let more = deliver(value: input)
    return more == .none ? .some(.none) : route(more, since: before)
  }

  @_alwaysEmitIntoClient @inline(never)
  package func receive(completion: Subscribers.Completion<Rule.Upstream>) {
    // Without a subscription it is not known whether downstream is busy.
    if mode == .held || mode == .closed, mayHaveToWait, hold(completion) { return }
    follow(completion)
  }

  /// Stores a completion for the holder.
  ///
  /// - Returns: Whether there is a holder.
  @usableFromInline
  internal func hold(_ completion: Subscribers.Completion<Rule.Upstream>) -> Bool {
    let before = completedUpstreams
    return hold {
      let me = SequentialSubscriber.typed($0)
      if me.completedUpstreams == before { me.follow(completion) }
    }
  }

  /// Continues after an upstream's completion.
  @inlinable
  internal func follow(_ completion: Subscribers.Completion<Rule.Upstream>) {
    // The later upstreams of a strict operator have a subscriber of their own.
    guard !traits.isStrict || completedUpstreams == 0, let isLast = detach() else {
      if traits.isStrict, case .failure = completion { refuseFailure() }
      return
    }
    switch rule.next(after: completion, number: completedUpstreams) {
    case .finish(let completion): finish(completion)
    case .nextInLine: if isLast { finish(.finished) } else { startNext() }
    case .start(let next): startNext(Self.start(next))
    }
  }

  @inlinable
  internal static func start(_ next: Rule.Next) -> Start {
    Start {
      let me = SequentialSubscriber.typed($0)
      me.rule.subscribe(me, to: next)
    }
  }

  /// Completes the stream, unless it is over.
  @inlinable
  internal func finish(_ completion: Subscribers.Completion<Rule.Downstream>) {
    guard close() != nil else { return }
    deliver(ending: completion)
  }

  @usableFromInline
  package override var mirrorChildren: [(label: String?, value: Any)] {
    traits.isStrict ? [("downstream", underlying as Any), ("demand", ledger.balance)] : []
  }
}

extension SequentialSubscriber {
  /// Later upstreams are subscribed to at any time.
  @_alwaysEmitIntoClient @inline(__always)
  package static var _place: _SubscriberPlace { .first }
}
