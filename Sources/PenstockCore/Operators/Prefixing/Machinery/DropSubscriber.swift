// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The untyped half of `dropFirst`: the subscription that downstream gets.
@usableFromInline
internal class DropSubscription: BaseSubscription {
  @usableFromInline
  internal struct State {
    internal var upstream: BaseSubscription?
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

  @usableFromInline internal final let state = Guarded(State())
  @usableFromInline internal final let count: Int
  /// Whether a delivery is over when downstream's `receive` has returned: whether downstream is a relay.
  @usableFromInline package final let downstreamIsSynchronous: Bool

  // Accessed only while upstream delivers, serially, so run-time exclusivity checks would find nothing.

  @exclusivity(unchecked) @usableFromInline internal final var left: Int
  /// Whether all further values are forwarded without a check.
  @exclusivity(unchecked) @usableFromInline internal final var isOpen = false

  @usableFromInline
  internal init(_ count: Int, downstreamIsSynchronous: Bool) {
    self.count = count
    self.downstreamIsSynchronous = downstreamIsSynchronous
    left = count
  }

  /// Stores upstream's subscription, and requests the values to drop and downstream's demand so far.
  ///
  /// After a completion another subscription may be stored, as in Combine.
  @usableFromInline
  internal final func attach(_ upstream: any Subscription) {
    if count < 0 { trap(.negativeCount(operator: "dropFirst")) }
    let upstream = upstream.wrapped
    var observer: (any QuiescenceObserver)?
    let demand = state.withLock { state -> Subscribers.Demand? in
      guard state.upstream == nil, !state.isCancelled else { return nil }
      state.upstream = upstream
      observer = state.touch()
      defer { state.pending = .none }
      return state.pending + count
    }
    guard let demand else { return upstream.cancel() }
    if let observer, !upstream.observeQuiescence(observer) {
      // This upstream cannot report quiescence: the observer is released from the promise before the first value.
      observer.deliveriesEnded()
    }
    if demand != .none { upstream.request(demand) }
  }

  /// Counts a value that may have to be dropped.
  ///
  /// - Returns: Whether the value is to be forwarded.
  @usableFromInline
  internal final func admits() -> Bool {
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
  internal final func finish() -> (forwards: Bool, observer: (any QuiescenceObserver)?) {
    let (upstream, result) = state.withLock { ($0.upstream.take(), (!$0.isCancelled, $0.touch())) }
    _ = upstream
    return result
  }

  @usableFromInline
  package final override func request(_ demand: Subscribers.Demand) {
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
  package final override func cancel() {
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
  package final override func observeQuiescence(_ observer: any QuiescenceObserver) -> Bool {
    let (isKept, upstream) = state.withLock { state -> (Bool, BaseSubscription?) in
      if downstreamIsSynchronous, state.isUntouched, state.observer == nil {
        state.observer = observer
        return (true, nil)
      }
      return (false, state.upstream)
    }
    return isKept || upstream?.observeQuiescence(observer) ?? false
  }

  @usableFromInline
  package final override var above: BaseSubscription? { state.withLock { $0.upstream } }

  @usableFromInline
  package final override var description: String { "Drop" }
}

/// The operator `dropFirst`, which has an order of its own: downstream gets its subscription before upstream is
/// subscribed to, and the values to drop are requested in addition to downstream's demand.
@usableFromInline
internal final class DropSubscriber<Downstream: Subscriber>: DropSubscription, Subscriber {
  @usableFromInline internal typealias Input = Downstream.Input
  @usableFromInline internal typealias Failure = Downstream.Failure

  @usableFromInline internal let downstream: Downstream

  /// Creates the operator, and delivers the subscription to downstream.
  @inlinable
  internal init(_ count: Int, to downstream: Downstream) {
    self.downstream = downstream
    super.init(count, downstreamIsSynchronous: downstream._isSynchronous)
    downstream.receive(subscription: self)
  }

  @inlinable @inline(never)
  internal func receive(subscription: any Subscription) {
    attach(subscription)
  }

  /// Receives a value, without a check of the stream's state, as in Combine.
  @inlinable
  internal func receive(_ input: Input) -> Subscribers.Demand {
    isOpen || admits() ? downstream.receive(input) : .none
  }

  @inlinable @inline(never)
  internal func receive(completion: Subscribers.Completion<Failure>) {
    let (forwards, observer) = finish()
    if forwards { downstream.receive(completion: completion) }
    observer?.deliveriesEnded()
  }
}

extension DropSubscriber: SynchronousOperator {}
