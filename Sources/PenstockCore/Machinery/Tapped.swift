// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The observations of an operator of the tapped shape: it sees every signal and changes none.
@usableFromInline
package protocol Tap<Input, Failure> {
  associatedtype Input
  associatedtype Failure: Error

  /// The text that `print()` prints for the operator.
  static var name: String { get }

  /// Whether it also observes signals after the end.
  static var looksPastTheEnd: Bool { get }

  func saw(subscription: any Subscription)
  func saw(value: Input)
  func saw(completion: Subscribers.Completion<Failure>)

  /// - Parameter isAnswer: Whether the demand is the result of `receive(_:)` for a value. It is never `.none` in that
  ///   case.
  func saw(request: Subscribers.Demand, isAnswer: Bool)
  func sawCancel()
}

/// The untyped half of the tapped shape: the subscription that downstream gets.
@usableFromInline
package final class TappedSubscription: CoreSubscription {
  /// The tap's reactions to signals from downstream, as closures made where the types are concrete.
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

  /// Holds signals that arrive while the tap sees the subscription; accessed only while upstream delivers, serially.
  @exclusivity(unchecked) @usableFromInline internal var prelude = Prelude()

  /// Keeps the downstream subscriber alive as long as this subscription, as in Combine, where the two halves are one
  /// object.
  @usableFromInline internal let keep: () -> Void

  @inlinable
  internal init(name: String, looksPastTheEnd: Bool, tap: FromBelow, keep: @escaping () -> Void) {
    self.keep = keep
    self.name = name
    self.looksPastTheEnd = looksPastTheEnd
    self.tap = Guarded(tap)
  }

  /// Whether the tap observes signals now; one relaxed load, or none.
  @inlinable
  internal var isLooking: Bool { looksPastTheEnd || slot.phase != .terminal }

  @usableFromInline
  package override func request(_ demand: Subscribers.Demand) {
    tap.withLock { $0 }?.request(demand)
    slot.request(demand)
  }

  /// Cancels; the tap sees a cancel before the subscription, but it has no effect, as in Combine.
  @usableFromInline
  package override func cancel() {
    // Taken out, so that only one of several racing cancels is observed.
    tap.withLock { tap in
      looksPastTheEnd || slot.phase == .awaiting ? tap : tap.take()
    }?.cancel()
    slot.cancel()
  }

  /// Performs the signals that were held, unless the stream is over.
  @usableFromInline @inline(never)
  internal func carryOutHeld() {
    while let signal = prelude.next() {
      if slot.phase == .active { signal() }
    }
  }

  /// Releases upstream's subscription, and the reactions to signals that will not come any more.
  @usableFromInline
  internal func finish() {
    guard slot.finish(), !looksPastTheEnd else { return }
    _ = tap.withLock { $0.take() }
  }

  /// Forwarded to upstream: this subscription's deliveries end when upstream's do.
  @usableFromInline
  package override func observeIdle(_ observer: any IdleObserver) -> Bool {
    slot.observeIdle(observer)
  }

  @usableFromInline
  package override var above: CoreSubscription? { slot.core }

  @usableFromInline
  package override var description: String { name }
}

/// The shape of operators that observe every signal in both directions: `print` and `handleEvents`.
///
/// The tap sees a signal before it is forwarded. Values and completions are forwarded in every state of the stream.
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

  /// Holds a value that arrives before downstream has its subscription.
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
