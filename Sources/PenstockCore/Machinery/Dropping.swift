// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The shape of `dropFirst`, which differs from all others: downstream gets its subscription before upstream is
/// subscribed to, and upstream is asked for the dropped values on top of what downstream wants.
@usableFromInline
package struct Dropping<Downstream: Subscriber>: SplitOperator {
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline internal let downstream: Downstream
  @usableFromInline package let subscription: DroppingSubscription

  /// Makes the shape, and hands downstream its subscription.
  @inlinable @inline(__always)
  package init(_ count: Int, to downstream: Downstream) {
    self.downstream = downstream
    subscription = Self.subscription(count, to: downstream)
    downstream.receive(subscription: subscription)
  }

  /// Not forced inline, like the other shapes' closures.
  @inlinable
  internal static func subscription(_ count: Int, to downstream: Downstream) -> DroppingSubscription {
    DroppingSubscription(
      count, endsWithReturn: downstream.isRelay, keep: { withExtendedLifetime(downstream) {} })
  }

  @inlinable
  package func receive(subscription upstream: any Subscription) {
    subscription.attach(upstream)
  }

  /// Values are never checked against the state of the stream, as in Combine.
  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    subscription.isOpen || subscription.admits() ? downstream.receive(input) : .none
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    let (forwards, observer) = subscription.finish()
    if forwards { downstream.receive(completion: completion) }
    observer?.deliveriesEnded()
  }
}

extension Dropping: ChainLink {}

/// The part of the shape that depends on no type: the subscription that downstream gets.
@usableFromInline
package final class DroppingSubscription: CoreSubscription {
  @usableFromInline
  internal struct State {
    internal var upstream: (any Subscription)?
    /// What downstream has asked for while there was no upstream.
    internal var pending = Subscribers.Demand.none
    internal var isCancelled = false
    /// Whether nothing at all has come from upstream yet.
    internal var isUntouched = true
    /// Who wants to be told when deliveries have ended, until upstream can be asked to tell.
    internal var observer: (any IdleObserver)?

    /// Notes that something has happened, and with it the end of what could be promised before.
    internal mutating func touch() -> (any IdleObserver)? {
      isUntouched = false
      return observer.take()
    }
  }

  @usableFromInline internal let state = Guarded(State())
  @usableFromInline internal let count: Int
  /// Whether a delivery has ended when the subscriber below has returned.
  @usableFromInline internal let endsWithReturn: Bool

  /// Keeps the subscriber below for as long as anybody keeps this, as in Combine, where the two halves are one object.
  @usableFromInline internal let keep: () -> Void

  // These two belong to upstream, whose signals are serial.

  @exclusivity(unchecked) @usableFromInline internal var left: Int
  /// Whether values go through without a further look.
  @exclusivity(unchecked) @usableFromInline internal var isOpen = false

  @usableFromInline
  internal init(_ count: Int, endsWithReturn: Bool, keep: @escaping () -> Void) {
    self.count = count
    self.endsWithReturn = endsWithReturn
    self.keep = keep
    left = count
  }

  /// Takes upstream's subscription, and asks it for the values to drop and for what downstream has asked so far.
  ///
  /// After a completion there may be another one, as in Combine.
  @usableFromInline
  internal func attach(_ upstream: any Subscription) {
    if count < 0 { trap(.negativeCount(operator: "dropFirst")) }
    var observer: (any IdleObserver)?
    let demand = state.withLock { state -> Subscribers.Demand? in
      guard state.upstream == nil, !state.isCancelled else { return nil }
      state.upstream = upstream
      observer = state.touch()
      defer { state.pending = .none }
      return state.pending + count
    }
    guard let demand else { return upstream.cancel() }
    if let observer, upstream.core?.observeIdle(observer) != true {
      // This upstream cannot tell, so whoever waits for that is released before the first value.
      observer.deliveriesEnded()
    }
    if demand != .none { upstream.request(demand) }
  }

  /// Judges a value, until all have been dropped that are to be.
  @usableFromInline
  internal func admits() -> Bool {
    state.withLock { $0.touch() }?.deliveriesEnded()
    isOpen = left <= 1
    guard left > 0 else { return true }
    left -= 1
    return false
  }

  /// Drops upstream's subscription.
  ///
  /// - Returns: Whether the completion goes downstream, and who is to be told afterwards.
  @usableFromInline
  internal func finish() -> (forwards: Bool, observer: (any IdleObserver)?) {
    let (upstream, result) = state.withLock { ($0.upstream.take(), (!$0.isCancelled, $0.touch())) }
    _ = upstream
    return result
  }

  @usableFromInline
  package override func request(_ demand: Subscribers.Demand) {
    if demand == .none { trap(.requestedNothing) }
    let upstream = state.withLock { state in
      if state.upstream == nil { state.pending += demand }
      return state.upstream
    }
    upstream?.request(demand)
  }

  /// Remembered when there is no upstream yet: downstream has this subscription from the start, and no delivery may
  /// follow a cancel.
  @usableFromInline
  package override func cancel() {
    let (upstream, observer) = state.withLock { state in
      state.isCancelled = true
      return (state.upstream.take(), state.touch())
    }
    upstream?.cancel()
    observer?.deliveriesEnded()
  }

  /// Deliveries from here end when upstream's do.
  ///
  /// As long as upstream has not begun, there are none.
  @usableFromInline
  package override func observeIdle(_ observer: any IdleObserver) -> Bool {
    let (isKept, upstream) = state.withLock { state -> (Bool, (any Subscription)?) in
      if endsWithReturn, state.isUntouched, state.observer == nil {
        state.observer = observer
        return (true, nil)
      }
      return (false, state.upstream)
    }
    return isKept || upstream?.core?.observeIdle(observer) ?? false
  }

  @usableFromInline
  package override var above: CoreSubscription? { state.withLock { $0.upstream }?.untapped.core }

  @usableFromInline
  package override var description: String { "Drop" }
}
