// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The subscriptions that have been handed to a subject, which is to ask them for everything some day.
@usableFromInline
internal struct UpstreamSubscriptions: ~Copyable, @unchecked Sendable {
  // `@unchecked`, because a subscription may be of any type; the contract allows its methods on every thread.

  @usableFromInline
  internal struct State {
    @usableFromInline internal var subscriptions: [any Subscription] = []
    @usableFromInline internal var open: Bool
    /// Whether the subject has gone.
    @usableFromInline internal var closed = false

    @inlinable
    internal init(open: Bool) { self.open = open }
  }

  @usableFromInline internal let state: Guarded<State>

  /// Whether demand has been seen.
  ///
  /// Spares the lock for every later request.
  @usableFromInline internal let open: Atomic<Bool>

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
    let (open, closed) = state.withLock { state in
      if !state.closed { state.subscriptions.append(subscription) }
      return (state.open, state.closed)
    }
    if closed { return subscription.cancel() }
    if open { subscription.request(.unlimited) }
  }

  /// Asks every subscription for everything, the first time.
  internal func demandRose() {
    if open.load(ordering: .relaxed) { return }
    let waiting = state.withLock { state -> [any Subscription] in
      if state.open { return [] }
      state.open = true
      return state.subscriptions
    }
    open.store(true, ordering: .relaxed)
    for subscription in waiting { subscription.request(.unlimited) }
  }

  /// Cancels them all, since the subject goes.
  @usableFromInline
  internal func cancel() {
    let all = state.withLock { state in
      let all = state.subscriptions
      state.subscriptions = []
      state.closed = true
      return all
    }
    for subscription in all { subscription.cancel() }
  }
}
