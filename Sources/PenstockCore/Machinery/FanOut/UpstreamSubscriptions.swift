// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Synchronization

/// A subject without a ``FanOut``, in another module, that releases an upstream subscription when it ends.
@usableFromInline
package protocol UpstreamKeeper: AnyObject {
  /// Keeps a subscription, and requests unlimited values from it.
  func add(upstream subscription: any Subscription & AnyObject)

  /// Releases a subscription that has ended.
  func remove(upstream subscription: any Subscription & AnyObject)
}

/// The upstream subscriptions of a subject, from which it requests unlimited demand, at once or on its first
/// subscriber's request.
@usableFromInline
package struct UpstreamSubscriptions: ~Copyable, @unchecked Sendable {
  // `@unchecked`, because a subscription may be of any type; the contract allows calls of its methods on every thread.

  /// A subscription with its position in the order of arrival.
  @usableFromInline
  internal struct Entry {
    internal let number: UInt
    internal let subscription: any Subscription
  }

  @usableFromInline
  internal struct State {
    /// Subscriptions that are removed when they end, keyed by identity, so that each is found without a search.
    internal var members: [ObjectIdentifier: Entry] = [:]
    /// Foreign subscriptions, which do not report their end.
    internal var strangers: [Entry] = []
    internal var count: UInt = 0
    @usableFromInline internal var open: Bool
    /// Whether the subject has been freed.
    internal var closed = false

    @usableFromInline
    internal init(open: Bool) { self.open = open }

    /// Numbers a subscription.
    internal mutating func entry(_ subscription: any Subscription) -> Entry {
      count += 1
      return Entry(number: count, subscription: subscription)
    }

    /// All subscriptions, in the order of their arrival.
    internal var all: [any Subscription] {
      (strangers + members.values).sorted { $0.number < $1.number }.map(\.subscription)
    }
  }

  @usableFromInline internal let state: Guarded<State>

  /// Whether a subscriber has requested values.
  ///
  /// A copy of the state's flag that spares later requests the lock.
  @usableFromInline internal let open: AtomicCell<Bool>

  /// The number of subscriptions above which the storage is freed when the last one is removed.
  private static var spareLimit: Int { 16 }

  /// - Parameter open: Whether upstream is requested at once, or only when a subscriber requests.
  @inlinable
  package init(open: Bool) {
    state = Guarded(State(open: open))
    self.open = AtomicCell(open)
  }

  /// Stores a foreign subscription until the subject is freed, and requests unlimited demand, now or in
  /// ``demandRose()``.
  ///
  /// A subscription that arrives after the subject has been freed is cancelled.
  @usableFromInline
  package func add(_ subscription: any Subscription) {
    ask(subscription, add: { $0.strangers.append($0.entry(subscription)) })
  }

  /// Stores a subscription that is removed when it ends.
  ///
  /// It may have ended already when this returns, so the caller has to check.
  @usableFromInline
  package func add(member subscription: any Subscription & AnyObject) {
    ask(subscription, add: { $0.members[ObjectIdentifier(subscription)] = $0.entry(subscription) })
  }

  private func ask(_ subscription: any Subscription, add: (inout State) -> Void) {
    let (open, closed) = state.withLock { state in
      if !state.closed { add(&state) }
      return (state.open, state.closed)
    }
    if closed { return subscription.cancel() }
    if open { subscription.request(.unlimited) }
  }

  /// Removes a subscription that has ended.
  @usableFromInline
  package func remove(member subscription: any Subscription & AnyObject) {
    // Released outside the lock.
    let removed = state.withLock { state in
      let removed = state.members.removeValue(forKey: ObjectIdentifier(subscription))
      if state.members.isEmpty, state.members.capacity > Self.spareLimit { state.members = [:] }
      return removed
    }
    withExtendedLifetime(removed) {}
  }

  /// The number of stored subscriptions.
  package var kept: Int { state.withLock { $0.members.count + $0.strangers.count } }

  /// Requests unlimited demand from every subscription, on the first call.
  internal func demandRose() {
    if open.load(ordering: .relaxed) { return }
    let waiting = state.withLock { state -> [any Subscription] in
      if state.open { return [] }
      state.open = true
      return state.all
    }
    open.store(true, ordering: .relaxed)
    for subscription in waiting { subscription.request(.unlimited) }
  }

  /// Cancels all subscriptions, because the subject is being freed.
  @usableFromInline
  package func cancel() {
    let all = state.withLock { state in
      let all = state.all
      state.members = [:]
      state.strangers = []
      state.closed = true
      return all
    }
    for subscription in all { subscription.cancel() }
  }
}
