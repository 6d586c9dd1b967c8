// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// When an operator of the substituting shape delivers its own output in place of upstream's completion.
@usableFromInline
package protocol SubstitutionRule {
  associatedtype Upstream: Error
  associatedtype Downstream: Error

  /// The text that `print()` prints for the operator.
  static var name: String { get }

  /// Whether values are debited from downstream's demand, so that the balance tells whether the output may be
  /// delivered.
  static var countsDemand: Bool { get }

  /// Decides about upstream's completion.
  ///
  /// - Parameter isEmpty: Whether upstream has delivered no value.
  /// - Returns: The completion to forward, or `nil` if the output takes its place.
  static func judge(
    _ completion: Subscribers.Completion<Upstream>, isEmpty: Bool
  ) -> Subscribers.Completion<Downstream>?
}

/// The untyped half of the substituting shape: the subscription that downstream gets, and the state of the output.
@usableFromInline
package class SubstitutingSubscription: BaseSubscription {
  @usableFromInline
  internal enum Progress: Sendable {
    /// Upstream's signals are forwarded.
    case passing
    /// Upstream has ended, and the output waits for demand.
    case holding
    /// The output is being delivered; `.finished` follows unless a cancel comes first.
    case delivering
    /// The output has been delivered or dropped.
    case ended
  }

  @usableFromInline
  internal struct State {
    @usableFromInline internal var progress = Progress.passing
    @usableFromInline internal var isUpstreamQuiescent = false
    @usableFromInline internal var observer: (any QuiescenceObserver)?
    /// The thread that is in a delivery, or in the introduction, in which upstream has ended; otherwise zero.
    ///
    /// Meanwhile no other thread lets a held output out.
    @usableFromInline internal var deliverer: UInt = 0

    @inlinable
    internal init() {}

    /// The observer, as soon as neither upstream nor a held output can deliver any more.
    mutating func takeObserverIfQuiescent() -> (any QuiescenceObserver)? {
      guard isUpstreamQuiescent else { return nil }
      return switch progress {
      case .passing, .ended: observer.take()
      case .holding, .delivering: nil
      }
    }
  }

  @usableFromInline internal final let slot = SubscriptionSlot()
  @usableFromInline internal final let ledger = DemandLedger()
  @usableFromInline internal final let state = Guarded(State())
  @usableFromInline internal final let name: String

  /// Delivers the output and `.finished`.
  ///
  /// A closure made where the types are concrete.
  @usableFromInline internal final let deliver: (SubstitutingSubscription) -> Void

  /// Whether upstream has delivered no value.
  ///
  /// Accessed only while upstream delivers, serially.
  @exclusivity(unchecked) @usableFromInline internal final var isEmpty = true

  /// Whether downstream is being called, so that an output that has to be held has to wait for the end of the call as
  /// well.
  ///
  /// Belongs to upstream's deliveries.
  @exclusivity(unchecked) @usableFromInline internal final var isDelivering = false

  @inlinable
  internal init(name: String, deliver: @escaping (SubstitutingSubscription) -> Void) {
    self.name = name
    self.deliver = deliver
  }

  @usableFromInline
  package override func request(_ demand: Subscribers.Demand) {
    if demand == .none { trap(.requestedNothing) }
    guard slot.phase != .awaiting, ledger.add(demand) != nil else { return }
    // The ledger is credited before the slot is read, while upstream's completion empties the slot before it reads the
    // ledger: one of the two sees the other, so a request never misses the output.
    if let upstream = slot.current { ask(upstream, for: demand) } else { release() }
  }

  /// Forwards a request to upstream.
  @usableFromInline
  internal func ask(_ upstream: any Subscription, for demand: Subscribers.Demand) {
    upstream.request(demand)
  }

  /// Cancels; an output that is held is dropped, since no delivery starts after a cancel.
  @usableFromInline
  package final override func cancel() {
    guard slot.phase != .awaiting else { return }
    _ = ledger.close()
    slot.cancel()
    let (isDropped, observer) = state.withLock { state in
      let isHolding = state.progress == .holding
      if isHolding { state.progress = .ended }
      return (isHolding, state.takeObserverIfQuiescent())
    }
    if isDropped { discard() }
    observer?.deliveriesEnded()
  }

  /// Frees an output that was held.
  @usableFromInline
  internal func discard() {}

  /// Whether the output is held until downstream requests it.
  @usableFromInline
  internal final var isHolding: Bool { state.withLock { $0.progress == .holding } }

  /// Drops a value without demand, which comes after a cancel or from a publisher that does not count demand; otherwise
  /// traps.
  @usableFromInline @inline(never)
  internal final func refuse() {
    // In this order: a cancel closes the ledger before it releases upstream, and `exceedsDemand` needs upstream.
    if !exceedsDemand, !ledger.isClosed { trap(.unrequestedValue(operator: name)) }
  }

  /// Called in place of upstream's completion: delivers the output if there is demand, and holds it otherwise.
  @usableFromInline
  internal final func substitute() {
    let released = state.withLock { state in
      guard state.progress == .passing, !ledger.isClosed else { return false }
      state.progress = ledger.balance == .none ? .holding : .delivering
      if isDelivering { state.deliverer = currentThread() }
      return state.progress == .delivering
    }
    if released { letOut() }
  }

  /// Called when demand has been added: delivers a held output.
  @usableFromInline
  internal final func release() {
    let released = state.withLock { state in
      guard state.progress == .holding, state.deliverer == 0 || state.deliverer == currentThread() else { return false }
      state.progress = .delivering
      return true
    }
    if released { letOut() }
  }

  /// Marks a call of downstream.
  ///
  /// - Returns: Whether it is not nested in another one: ``endDelivery()`` has to be called then.
  @inlinable
  internal final func beginDelivery() -> Bool {
    if isDelivering { return false }
    isDelivering = true
    return true
  }

  /// Ends the mark, and lets out what has been asked for by other threads meanwhile.
  @inlinable
  internal final func endDelivery() {
    isDelivering = false
    if slot.phase == .terminal { conclude() }
  }

  @usableFromInline
  internal final func conclude() {
    let released = state.withLock { state in
      state.deliverer = 0
      guard state.progress == .holding, ledger.balance != .none else { return false }
      state.progress = .delivering
      return true
    }
    if released { letOut() }
  }

  private func letOut() {
    deliver(self)
    let observer = state.withLock { state in
      state.progress = .ended
      return state.takeObserverIfQuiescent()
    }
    observer?.deliveriesEnded()
  }

  @usableFromInline
  package final override var above: BaseSubscription? { slot.base }

  @usableFromInline
  package final override func observeQuiescence(_ observer: any QuiescenceObserver) -> Bool {
    guard let upstream = slot.current?.base else { return false }
    guard state.withLock({ $0.observer.accept(observer, unless: $0.isUpstreamQuiescent) }) else { return false }
    if upstream.observeQuiescence(self) { return true }
    state.withLock { $0.observer = nil }
    return false
  }

  @usableFromInline
  package final override var description: String { name }
}

extension SubstitutingSubscription: QuiescenceObserver {
  /// Upstream delivers nothing any more, but a held output may still be delivered.
  @usableFromInline
  package final func deliveriesEnded() {
    let observer = state.withLock { state in
      state.isUpstreamQuiescent = true
      return state.takeObserverIfQuiescent()
    }
    observer?.deliveriesEnded()
  }
}

/// The shape of operators that forward values, and may deliver one value of their own in place of upstream's
/// completion, as soon as there is demand for it.
@usableFromInline
package struct Substituting<Rule: SubstitutionRule, Downstream: Subscriber>: SplitOperator
where Rule.Downstream == Downstream.Failure {
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Rule.Upstream

  @usableFromInline internal let downstream: Downstream
  @usableFromInline package let subscription: SubstitutingSubscription

  @inlinable @inline(__always)
  package init(_ rule: Rule.Type, output: Downstream.Input, to downstream: Downstream) {
    self.downstream = downstream
    subscription = Self.subscription(output: output, to: downstream)
  }

  /// Not forced inline: with the closure inlined into `receive(subscriber:)` the compiler crashes in release builds.
  @inlinable
  internal static func subscription(output: Downstream.Input, to downstream: Downstream) -> SubstitutingSubscription {
    SubstitutingSubscription(
      name: Rule.name,
      deliver: { subscription in
        _ = downstream.receive(output)
        if !subscription.ledger.isClosed { downstream.receive(completion: .finished) }
      })
  }

  @inlinable
  package func receive(subscription upstream: any Subscription) {
    guard subscription.slot.attach(upstream) else { return }
    subscription.isDelivering = true
    downstream.receive(subscription: subscription)
    subscription.endDelivery()
  }

  @inlinable
  package func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    guard subscription.slot.phase == .active else { return .none }
    guard Rule.countsDemand else {
      subscription.isEmpty = false
      return downstream.receive(input)
    }
    // The output never has to be held then.
    if subscription.ledger.isUnlimited { return downstream.receive(input) }
    return receiveCounted(input)
  }

  @inlinable @inline(never)
  internal func receiveCounted(_ input: Downstream.Input) -> Subscribers.Demand {
    guard subscription.ledger.takeOne() else {
      subscription.refuse()
      return .none
    }
    let isOutermost = subscription.beginDelivery()
    let more = downstream.receive(input)
    if more != .none {
      subscription.ledger.add(more)
      // Upstream has ended during the delivery, when there was no demand.
      if subscription.slot.phase == .terminal { subscription.release() }
    }
    if isOutermost { subscription.endDelivery() }
    return more
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Rule.Upstream>) {
    guard subscription.slot.finish() else { return }
    if let forwarded = Rule.judge(completion, isEmpty: subscription.isEmpty) {
      downstream.receive(completion: forwarded)
    } else {
      subscription.substitute()
    }
  }
}

extension Substituting: SynchronousOperator {}
