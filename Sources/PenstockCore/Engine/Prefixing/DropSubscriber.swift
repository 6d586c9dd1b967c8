// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The untyped half of `dropFirst`: the subscription that downstream gets.
@usableFromInline
internal class DropSubscription: EmbeddingSubscription {
  @usableFromInline
  internal struct State: ~Copyable {
    internal var upstream: BaseSubscription?
    /// Downstream's demand from before upstream's subscription arrived.
    internal var pending = Subscribers.Demand.none
    internal var isCancelled = false
  }

  @usableFromInline internal final let state = Guarded(State())
  @usableFromInline internal final let count: Int

  // Accessed only while upstream delivers, serially, so run-time exclusivity checks would find nothing.

  @exclusivity(unchecked) @usableFromInline internal final var left: Int
  /// Whether all further values are forwarded without a check.
  @exclusivity(unchecked) @usableFromInline internal final var isOpen = false

  @usableFromInline
  internal init(_ count: Int, downstream: SubscriberCalls) {
    self.count = count
    left = count
    super.init(downstream: downstream)
  }

  /// Stores upstream's subscription, and requests the values to drop and downstream's demand so far.
  ///
  /// After a completion another subscription may be stored, as in Combine.
  @usableFromInline
  internal final func attach(_ upstream: any Subscription) {
    if count < 0 { trap(.negativeCount(operator: "dropFirst")) }
    let upstream = upstream.wrapped
    let demand = state.withLock { state -> Subscribers.Demand? in
      guard state.upstream == nil, !state.isCancelled else { return nil }
      state.upstream = upstream
      defer { state.pending = .none }
      return state.pending + count
    }
    guard let demand else { return upstream.cancel() }
    if demand != .none { upstream.request(demand) }
  }

  /// Counts a value that may have to be dropped.
  ///
  /// - Returns: Whether the value is to be forwarded.
  @usableFromInline
  internal final func admits() -> Bool {
    isOpen = left <= 1
    guard left > 0 else { return true }
    left -= 1
    return false
  }

  /// Releases upstream's subscription.
  ///
  /// - Returns: Whether the completion is to be forwarded.
  @usableFromInline
  internal final func finish() -> Bool {
    let (upstream, forwards) = state.withLock { ($0.upstream.take(), !$0.isCancelled) }
    _ = upstream
    return forwards
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
    let upstream = state.withLock { state in
      state.isCancelled = true
      return state.upstream.take()
    }
    upstream?.cancel()
  }

  package final override func show(in link: inout LinkState) {
    super.show(in: &link)
    let (upstream, isCancelled) = state.withLock { ($0.upstream, $0.isCancelled) }
    link.phase = isCancelled ? .ended : upstream == nil ? .awaiting : .active
    link.add(upstream)
  }

  @usableFromInline
  package final override var upstreamBase: BaseSubscription? { state.withLock { $0.upstream } }

  @usableFromInline
  package final override var description: String { "Drop" }
}

/// The operator `dropFirst`, which has an order of its own: downstream gets its subscription before upstream is
/// subscribed to, and the values to drop are requested in addition to downstream's demand.
@usableFromInline
internal final class DropSubscriber<Input, Failure: Error>: DropSubscription, Subscriber {
  /// Creates the operator, and delivers the subscription to downstream.
  @inlinable @inline(never)
  internal convenience init<Downstream: Subscriber>(_ count: Int, to downstream: __owned Downstream)
  where Downstream.Input == Input, Downstream.Failure == Failure {
    self.init(count, downstream: SubscriberCalls(for: downstream))
    embed(downstream)
    deliver(subscription: self)
  }

  @_alwaysEmitIntoClient @inline(__always)
  internal static var _place: _SubscriberPlace { .first }

  @_alwaysEmitIntoClient @inline(never)
  internal func receive(subscription: any Subscription) {
    attach(subscription)
  }

  /// Receives a value, without a check of the stream's state, as in Combine.
  @_alwaysEmitIntoClient
  internal func receive(_ input: Input) -> Subscribers.Demand {
    isOpen || admits() ? deliver(value: input) : .none
  }

  @_alwaysEmitIntoClient @inline(never)
  internal func receive(completion: Subscribers.Completion<Failure>) {
    if finish() { deliver(ending: completion) }
  }
}
