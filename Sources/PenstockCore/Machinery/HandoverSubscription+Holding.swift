// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import DequeModule
internal import Synchronization

/// While downstream is inside of something that has outlived its upstream.
///
/// An upstream may end inside of a delivery of its own, or of downstream's introduction, and its successor may deliver on
/// another thread before that has returned. So the thread that is busy becomes the *holder*: what comes on that thread
/// nests, as in Combine, and what another thread brings waits until the holder has come back, as do requests of other
/// threads, since some publishers deliver inside of those.
///
/// A value of an upstream without such a past costs nothing of this, but for a mark that says that it is being delivered.
extension HandoverSubscription {
  /// Makes a thread the holder.
  internal final func hold(by thread: UInt, _ state: inout State) {
    state.holder = thread
    publishHolder(state)
  }

  private func publishHolder(_ state: borrowing State) {
    holderMark.store(state.holder | (state.waiting.isEmpty ? 0 : 1), ordering: .relaxed)
  }

  /// Whether the calling thread is the holder, and nothing waits.
  ///
  /// It alone can put an end to that, so what it reads without the lock is true.
  @usableFromInline @inline(never)
  internal final var isHolder: Bool { holderMark.load(ordering: .relaxed) == currentThread() }

  /// Whether a signal may have to wait.
  ///
  /// An upstream that was started while there was a holder sees it, or learns that there is none any more.
  @usableFromInline @inline(never)
  internal final var mayHaveToWait: Bool {
    let mark = holderMark.load(ordering: .relaxed)
    return mark != 0 && mark != currentThread()
  }

  /// Leaves a signal to the holder.
  ///
  /// - Returns: Whether there is one. If not, the calling thread may deliver, as may those that come after it with what
  ///   the same upstream sends.
  @usableFromInline
  internal final func hold(_ signal: @escaping (HandoverSubscription) -> Void) -> Bool {
    state.withLock { state in
      guard state.holder != 0 else { return false }
      // After the end it is dropped; the caller frees it.
      guard state.phase != .ended else { return true }
      state.waiting.append(Held(carryOut: signal))
      publishHolder(state)
      return true
    }
  }

  /// Goes on after a delivery in which upstream has ended.
  ///
  /// - Parameters:
  ///   - more: What downstream has returned, which is for the upstream that is there now, or comes next.
  ///   - isOutermost: Whether the delivery is not inside of another one.
  /// - Returns: What to answer the upstream that has ended.
  @usableFromInline
  internal final func conclude(_ more: Subscribers.Demand, isOutermost: Bool) -> Subscribers.Demand {
    if more != .none { request(more) }
    if isOutermost { release() }
    return .none
  }

  /// Delivers what other threads have left while downstream was busy, and lets the current upstream deliver by itself.
  ///
  /// Called by the holder, when its delivery or the introduction has returned. Unless the introduction is still running
  /// around that delivery: then this is put off.
  @usableFromInline
  internal final func release(afterIntroduction: Bool = false) {
    if afterIntroduction { state.withLock { $0.isIntroducing = false } }
    while let signal = nextHeld() { signal.carryOut(self) }
  }

  private func nextHeld() -> Held? {
    var next: Held?
    var asked: (upstream: any Subscription, demand: Subscribers.Demand)?
    let observer = state.withLock { state -> (any IdleObserver)? in
      next = state.isIntroducing ? nil : state.waiting.popFirst()
      // While one is carried out, the deliveries that nest in it are not the outermost.
      isDelivering = next != nil
      if state.isIntroducing { return nil }
      if next == nil {
        state.holder = 0
        if let demand = state.asked.take(), let upstream = state.upstream { asked = (upstream, demand) }
      }
      publishHolder(state)
      return state.takeObserverIfIdle()
    }
    observer?.deliveriesEnded()
    if let (upstream, demand) = asked { upstream.request(demand) }
    return next
  }
}
