// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The shape of `dropFirst`, which has an order of its own: downstream gets its subscription before upstream is
/// subscribed to, and the values to drop are requested in addition to downstream's demand.
@usableFromInline
package struct DropSubscriber<Downstream: Subscriber>: SplitOperator {
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline internal let downstream: Downstream
  @usableFromInline package let subscription: DropSubscription

  /// Creates the operator, and delivers the subscription to downstream.
  @inlinable @inline(__always)
  package init(_ count: Int, to downstream: Downstream) {
    self.downstream = downstream
    subscription = Self.subscription(count, to: downstream)
    downstream.receive(subscription: subscription)
  }

  /// Not forced inline, like the functions that make closures in other shapes: inlined into `receive(subscriber:)`,
  /// such closures have crashed the compiler in release builds.
  @inlinable
  internal static func subscription(_ count: Int, to downstream: Downstream) -> DropSubscription {
    DropSubscription(
      count, downstreamIsSynchronous: downstream.isSynchronous, keep: { withExtendedLifetime(downstream) {} })
  }

  @inlinable
  package func receive(subscription upstream: any Subscription) {
    subscription.attach(upstream)
  }

  /// Receives a value, without a check of the stream's state, as in Combine.
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

extension DropSubscriber: SynchronousOperator {}

/// The untyped half of the shape: the subscription that downstream gets.
@usableFromInline
package final class DropSubscription: BaseSubscription {
  @usableFromInline
  internal struct State {
    internal var upstream: (any Subscription)?
    /// Downstream's demand from before upstream's subscription arrived.
    internal var pending = Subscribers.Demand.none
    internal var isCancelled = false
    /// Whether upstream has delivered no signal yet.
    internal var isUntouched = true
    /// The observer of quiescence, until upstream's subscription can take it over.
    internal var observer: (any QuiescenceObserver)?

    /// Records a signal, which ends the time in which this subscription can promise quiescence by itself.
    internal mutating func touch() -> (any QuiescenceObserver)? {
      isUntouched = false
      return observer.take()
    }
  }

  @usableFromInline internal let state = Guarded(State())
  @usableFromInline internal let count: Int
  /// Whether a delivery is over when downstream's `receive` has returned: whether downstream is a relay.
  @usableFromInline package let downstreamIsSynchronous: Bool

  /// Keeps the downstream subscriber alive as long as this subscription, as in Combine, where the two halves are one
  /// object.
  @usableFromInline internal let keep: () -> Void

  // Accessed only while upstream delivers, serially, so run-time exclusivity checks would find nothing.

  @exclusivity(unchecked) @usableFromInline internal var left: Int
  /// Whether all further values are forwarded without a check.
  @exclusivity(unchecked) @usableFromInline internal var isOpen = false

  @usableFromInline
  internal init(_ count: Int, downstreamIsSynchronous: Bool, keep: @escaping () -> Void) {
    self.count = count
    self.downstreamIsSynchronous = downstreamIsSynchronous
    self.keep = keep
    left = count
  }

  /// Stores upstream's subscription, and requests the values to drop and downstream's demand so far.
  ///
  /// After a completion another subscription may be stored, as in Combine.
  @usableFromInline
  internal func attach(_ upstream: any Subscription) {
    if count < 0 { trap(.negativeCount(operator: "dropFirst")) }
    var observer: (any QuiescenceObserver)?
    let demand = state.withLock { state -> Subscribers.Demand? in
      guard state.upstream == nil, !state.isCancelled else { return nil }
      state.upstream = upstream
      observer = state.touch()
      defer { state.pending = .none }
      return state.pending + count
    }
    guard let demand else { return upstream.cancel() }
    if let observer, upstream.base?.observeQuiescence(observer) != true {
      // This upstream cannot report quiescence: the observer is released from the promise before the first value.
      observer.deliveriesEnded()
    }
    if demand != .none { upstream.request(demand) }
  }

  /// Counts a value that may have to be dropped.
  ///
  /// - Returns: Whether the value is to be forwarded.
  @usableFromInline
  internal func admits() -> Bool {
    state.withLock { $0.touch() }?.deliveriesEnded()
    isOpen = left <= 1
    guard left > 0 else { return true }
    left -= 1
    return false
  }

  /// Releases upstream's subscription.
  ///
  /// - Returns: Whether the completion is to be forwarded, and the observer to notify after that.
  @usableFromInline
  internal func finish() -> (forwards: Bool, observer: (any QuiescenceObserver)?) {
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

  /// Cancels; remembered if upstream's subscription has not arrived, because downstream has this subscription from the
  /// start, and no delivery may start after a cancel.
  @usableFromInline
  package override func cancel() {
    let (upstream, observer) = state.withLock { state in
      state.isCancelled = true
      return (state.upstream.take(), state.touch())
    }
    upstream?.cancel()
    observer?.deliveriesEnded()
  }

  /// Forwarded to upstream as soon as there is one: this subscription's deliveries end when upstream's do.
  ///
  /// Before upstream's first signal there are no deliveries.
  @usableFromInline
  package override func observeQuiescence(_ observer: any QuiescenceObserver) -> Bool {
    let (isKept, upstream) = state.withLock { state -> (Bool, (any Subscription)?) in
      if downstreamIsSynchronous, state.isUntouched, state.observer == nil {
        state.observer = observer
        return (true, nil)
      }
      return (false, state.upstream)
    }
    return isKept || upstream?.base?.observeQuiescence(observer) ?? false
  }

  @usableFromInline
  package override var above: BaseSubscription? { state.withLock { $0.upstream }?.untapped.base }

  @usableFromInline
  package override var description: String { "Drop" }
}
