// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Synchronization

/// How an operator with several upstreams subscribes to them.
extension SerialSubscription {
  /// Keeps the loop for the calling thread until ``finishJoining()``, while it subscribes to one upstream after the other.
  ///
  /// So what they deliver at once, such as the present value of a subject, has passed when the subscriber below has
  /// subscribed, whatever other threads send meanwhile: that goes behind.
  @usableFromInline
  package final func beginJoining() {
    // Nobody else knows of the subscription yet.
    let thread = currentThread()
    _ = loop.enter(thread)
    joiner.store(thread, ordering: .relaxed)
    isKept = true
    isResting = true
    hasDuties = true
  }

  /// All upstreams have been subscribed to.
  @usableFromInline
  package final func endJoining() {
    if !isDeferred { finishJoining() }
  }

  /// Has an upstream's introduction last until all upstreams have been subscribed to.
  ///
  /// Called when its subscription comes.
  @usableFromInline
  package final func holdJoining(of subscription: any Subscription) {
    guard joiner.load(ordering: .relaxed) == currentThread(), let above = subscription.untapped.core?.deferJoining()
    else {
      return
    }
    deferred.append(above)
  }

  /// - Returns: Whether the calling thread subscribes to upstreams just now, and has left it to its caller to finish.
  internal final func leaveJoiningToBelow() -> Bool {
    guard joiner.load(ordering: .relaxed) == currentThread() else { return false }
    isDeferred = true
    return true
  }

  /// Carries out what has come meanwhile, and leaves the loop to whoever comes next.
  internal final func releaseLoop() {
    let deferred = deferred
    self.deferred = []
    for above in deferred { above.finishJoining() }
    joiner.store(0, ordering: .relaxed)
    isKept = false
    isResting = false
    leave(currentThread())
  }
}
