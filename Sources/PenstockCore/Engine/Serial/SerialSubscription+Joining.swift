// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Synchronization

/// The way an operator with several upstreams subscribes to them: *joining*.
extension SerialSubscription {
  /// Keeps the loop for the calling thread until ``finishJoining()``, while it subscribes to one upstream after the
  /// other.
  ///
  /// Subscribing is synchronous: everything that the upstreams deliver at once, such as the current value of a subject,
  /// has reached downstream when `subscribe` returns. Values that other threads send meanwhile are queued after it.
  @usableFromInline
  package final func beginJoining() {
    // No other thread knows the subscription yet, so the loop is free.
    let thread = currentThread()
    _ = queue.enter(thread)
    joiner.store(thread, ordering: .relaxed)
    joining = .betweenSignals
    hasWorkOnLeaving = true
  }

  /// Ends the joining after the last upstream has been subscribed to, unless an operator downstream does so later.
  @usableFromInline
  package final func endJoining() {
    if !isDeferred { finishJoining() }
  }

  /// Keeps an upstream's introduction open until all upstreams have been subscribed to.
  ///
  /// Called when the upstream's subscription arrives.
  @usableFromInline
  package final func holdJoining(of subscription: any Subscription) {
    guard joiner.load(ordering: .relaxed) == currentThread(), let upstream = subscription.untappedBase?.deferJoining()
    else {
      return
    }
    deferred.append(upstream)
  }

  /// Lets an operator downstream decide when the joining ends.
  ///
  /// - Returns: Whether the calling thread is subscribing to the upstreams, so that the caller has to call
  ///   ``finishJoining()``.
  internal final func leaveJoiningToDownstream() -> Bool {
    guard joiner.load(ordering: .relaxed) == currentThread() else { return false }
    isDeferred = true
    return true
  }

  /// Whether the loop is kept for the calling thread, which is between two signals.
  internal final func isBetweenSignals(_ entry: DrainLoop.Entry) -> Bool {
    if case .nested = entry { return joining == .betweenSignals }
    return false
  }

  /// Keeps the loop between two signals, unless something is queued.
  internal final func keepLoop(_ thread: UInt) -> Bool {
    guard queue.loop.isAnnounced else {
      joining = .betweenSignals
      return true
    }
    joining = .withinSignal
    queue.loop.acknowledge(thread)
    return false
  }

  /// Performs what has been queued meanwhile, and releases the loop.
  internal final func releaseLoop() {
    let deferred = deferred
    self.deferred = []
    for upstream in deferred { upstream.finishJoining() }
    joiner.store(0, ordering: .relaxed)
    joining = .none
    leave(currentThread())
  }
}
