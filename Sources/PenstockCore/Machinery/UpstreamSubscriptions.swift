// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The subscriptions that have been handed to a subject, which is to ask them for everything some day.
@usableFromInline
internal struct UpstreamSubscriptions: ~Copyable, @unchecked Sendable {
  // `@unchecked`, because a subscription may be of any type; the contract allows its methods on every thread.

  /// A subscription, and how many came before it.
  @usableFromInline
  internal struct Entry {
    internal let number: UInt
    internal let subscription: any Subscription
  }

  @usableFromInline
  internal struct State {
    /// Those that say when they are over, by their identity, so that each is found without a search.
    internal var members: [ObjectIdentifier: Entry] = [:]
    /// Those of somebody else's, which do not.
    internal var strangers: [Entry] = []
    internal var count: UInt = 0
    @usableFromInline internal var open: Bool
    /// Whether the subject has gone.
    internal var closed = false

    @usableFromInline
    internal init(open: Bool) { self.open = open }

    /// Gives the next number to a subscription.
    internal mutating func entry(_ subscription: any Subscription) -> Entry {
      count += 1
      return Entry(number: count, subscription: subscription)
    }

    /// All of them in the order they came.
    internal var all: [any Subscription] {
      (strangers + members.values).sorted { $0.number < $1.number }.map(\.subscription)
    }
  }

  @usableFromInline internal let state: Guarded<State>

  /// Whether demand has been seen.
  ///
  /// Spares the lock for every later request.
  @usableFromInline internal let open: Atomic<Bool>

  /// The number of subscriptions beyond which the storage of those that have gone is freed.
  private static var spareLimit: Int { 16 }

  /// - Parameter open: Whether upstream is asked at once, or only when a subscriber asks.
  @inlinable
  internal init(open: Bool) {
    state = Guarded(State(open: open))
    self.open = Atomic(open)
  }

  /// Keeps a subscription until the subject is freed, and asks it for everything, now or when ``demandRose()``.
  ///
  /// One that comes too late is cancelled.
  @usableFromInline
  internal func add(_ subscription: any Subscription) {
    ask(subscription, add: { $0.strangers.append($0.entry(subscription)) })
  }

  /// The same for a subscription that will be removed when it is over, and may be that already when this returns: the
  /// caller has to look.
  @usableFromInline
  internal func add(member subscription: any Subscription & AnyObject) {
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

  /// Forgets a subscription that is over.
  @usableFromInline
  internal func remove(member subscription: any Subscription & AnyObject) {
    // Freed outside of the lock.
    let removed = state.withLock { state in
      let removed = state.members.removeValue(forKey: ObjectIdentifier(subscription))
      if state.members.isEmpty, state.members.capacity > Self.spareLimit { state.members = [:] }
      return removed
    }
    withExtendedLifetime(removed) {}
  }

  /// How many are kept.
  internal var kept: Int { state.withLock { $0.members.count + $0.strangers.count } }

  /// Asks every subscription for everything, the first time.
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

  /// Cancels them all, since the subject goes.
  @usableFromInline
  internal func cancel() {
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
