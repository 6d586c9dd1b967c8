// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// What an operator of the tapped shape does with the signals that pass: it looks, and changes nothing.
@usableFromInline
package protocol Tap<Input, Failure> {
  associatedtype Input
  associatedtype Failure: Error

  /// What `print()` shows for the operator.
  static var name: String { get }

  /// Whether it also looks at what comes after the end.
  static var looksPastTheEnd: Bool { get }

  func saw(subscription: any Subscription)
  func saw(value: Input)
  func saw(completion: Subscribers.Completion<Failure>)

  /// - Parameter isAnswer: Whether the demand is what downstream returned for a value. It is not `.none` then.
  func saw(request: Subscribers.Demand, isAnswer: Bool)
  func sawCancel()
}

/// The part of the tapped shape that depends on no type: the subscription that downstream gets.
@usableFromInline
package final class TappedSubscription: CoreSubscription {
  /// What the tap does about signals from downstream, made where the types are known.
  @usableFromInline
  internal struct FromBelow {
    @usableFromInline internal let request: (Subscribers.Demand) -> Void
    @usableFromInline internal let cancel: () -> Void

    @inlinable
    internal init(request: @escaping (Subscribers.Demand) -> Void, cancel: @escaping () -> Void) {
      self.request = request
      self.cancel = cancel
    }
  }

  @usableFromInline internal let slot = SubscriptionSlot()
  @usableFromInline internal let tap: Guarded<FromBelow?>
  @usableFromInline internal let name: String
  @usableFromInline internal let looksPastTheEnd: Bool

  /// Holds what comes while the tap looks at the subscription.
  @exclusivity(unchecked) @usableFromInline internal var prelude = Prelude()

  /// Keeps the subscriber below for as long as anybody keeps this, as in Combine, where the two halves are one object.
  @usableFromInline internal let keep: () -> Void

  @inlinable
  internal init(name: String, looksPastTheEnd: Bool, tap: FromBelow, keep: @escaping () -> Void) {
    self.keep = keep
    self.name = name
    self.looksPastTheEnd = looksPastTheEnd
    self.tap = Guarded(tap)
  }

  /// One relaxed load, or none.
  @inlinable
  internal var isLooking: Bool { looksPastTheEnd || slot.phase != .terminal }

  @usableFromInline
  package override func request(_ demand: Subscribers.Demand) {
    tap.withLock { $0 }?.request(demand)
    slot.request(demand)
  }

  /// A cancel before the subscription is seen, and forgotten, as in Combine.
  @usableFromInline
  package override func cancel() {
    // What is taken out is used once, whoever else cancels.
    tap.withLock { tap in
      looksPastTheEnd || slot.phase == .awaiting ? tap : tap.take()
    }?.cancel()
    slot.cancel()
  }

  /// Carries out what has waited, unless the stream is over.
  @usableFromInline @inline(never)
  internal func carryOutHeld() {
    while let signal = prelude.next() {
      if slot.phase == .active { signal() }
    }
  }

  /// Drops upstream's subscription, and frees what the tap does about signals that will not come any more.
  @usableFromInline
  internal func finish() {
    guard slot.finish(), !looksPastTheEnd else { return }
    _ = tap.withLock { $0.take() }
  }

  /// Deliveries from here end when upstream's do.
  @usableFromInline
  package override func observeIdle(_ observer: any IdleObserver) -> Bool {
    slot.observeIdle(observer)
  }

  @usableFromInline
  package override var above: CoreSubscription? { slot.core }

  @usableFromInline
  package override var description: String { name }
}

/// The shape of operators that look at everything that passes, in both directions: `print` and `handleEvents`.
///
/// The tap sees a signal before it goes on. Values and completions go on whatever the state of the stream is.
@usableFromInline
package struct Tapped<Work: Tap, Downstream: Subscriber>: SplitOperator
where Work.Input == Downstream.Input, Work.Failure == Downstream.Failure {
  @usableFromInline package typealias Input = Work.Input
  @usableFromInline package typealias Failure = Work.Failure

  @usableFromInline internal let tap: Work
  @usableFromInline internal let downstream: Downstream
  @usableFromInline package let subscription: TappedSubscription

  @inlinable @inline(__always)
  package init(_ tap: Work, to downstream: Downstream) {
    self.tap = tap
    self.downstream = downstream
    subscription = TappedSubscription(
      name: Work.name, looksPastTheEnd: Work.looksPastTheEnd,
      tap: TappedSubscription.FromBelow(
        request: { tap.saw(request: $0, isAnswer: false) }, cancel: { tap.sawCancel() }),
      keep: { withExtendedLifetime(downstream) {} })
  }

  @inlinable
  package func receive(subscription upstream: any Subscription) {
    if subscription.slot.phase == .awaiting { return introduce(upstream) }
    if subscription.isLooking { tap.saw(subscription: upstream) }
    upstream.cancel()
  }

  @inlinable
  internal func introduce(_ upstream: any Subscription) {
    subscription.prelude.begin()
    tap.saw(subscription: upstream)
    subscription.prelude.end()
    if subscription.slot.attach(upstream) { downstream.receive(subscription: subscription) }
    if subscription.prelude.isHolding { subscription.carryOutHeld() }
  }

  /// Keeps a value that comes before the subscription has gone down.
  @inlinable @inline(never)
  internal func hold(_ input: Input) -> Subscribers.Demand {
    subscription.prelude.hold {
      let more = deliver(input)
      if more != .none { subscription.slot.request(more) }
    }
    return .none
  }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    subscription.prelude.isHolding ? hold(input) : deliver(input)
  }

  @inlinable
  internal func deliver(_ input: Input) -> Subscribers.Demand {
    if subscription.isLooking { tap.saw(value: input) }
    let more = downstream.receive(input)
    if more != .none, subscription.isLooking { tap.saw(request: more, isAnswer: true) }
    return more
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    if subscription.prelude.isHolding { subscription.prelude.hold { finish(completion) } } else { finish(completion) }
  }

  @inlinable
  internal func finish(_ completion: Subscribers.Completion<Failure>) {
    let isLooking = subscription.isLooking
    subscription.finish()
    if isLooking { tap.saw(completion: completion) }
    downstream.receive(completion: completion)
  }
}

extension Tapped: ChainLink {}
