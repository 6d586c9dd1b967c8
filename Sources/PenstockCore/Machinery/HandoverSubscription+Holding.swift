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
  /// Notes that an upstream is ending inside of a delivery of the calling thread.
  ///
  /// The introduction around such a delivery does as well.
  internal final func holdDelivery(_ state: inout State) {
    let thread = currentThread()
    guard state.deliverer == 0, state.introducer != thread else { return }
    state.deliverer = thread
    publishHolder(state)
  }

  internal final func publishHolder(_ state: borrowing State) {
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
  /// Called when the introduction, or an outermost delivery in which an upstream has ended, has returned. If both were
  /// running, the last one does it.
  @usableFromInline
  internal final func release(afterIntroduction: Bool = false) {
    var next = afterIntroduction ? endIntroduction() : nextHeld()
    while let signal = next {
      signal.carryOut(self)
      next = nextHeld()
    }
  }

  /// - Returns: A signal to carry out.
  private func endIntroduction() -> Held? {
    carryOn { state in
      let thread = state.introducer
      state.introducer = 0
      // If another thread is inside of a delivery, that one does the rest. And as long as nothing waits, the first upstream
      // may be delivering on another thread: it owns the marks.
      if state.deliverer == 0, !state.waiting.isEmpty {
        state.deliverer = thread
        isDelivering = true
        return state.waiting.popFirst()
      }
      return nil
    }
  }

  /// - Returns: A signal to carry out.
  private func nextHeld() -> Held? {
    carryOn { state in
      // While a signal is carried out, the deliveries that nest in it are not the outermost. If the introduction is still
      // running, the rest is left to it.
      isDelivering = state.deliverer != 0 && state.introducer == 0 && !state.waiting.isEmpty
      state.deliverer = isDelivering ? currentThread() : 0
      return isDelivering ? state.waiting.popFirst() : nil
    }
  }

  /// Makes a transition, and does what has become possible if downstream is not busy any more.
  private func carryOn(_ transition: (inout State) -> Held?) -> Held? {
    var asked: (upstream: any Subscription, demand: Subscribers.Demand)?
    let (next, observer) = state.withLock { state -> (Held?, (any IdleObserver)?) in
      let next = transition(&state)
      publishHolder(state)
      if state.holder == 0, let demand = state.asked.take(), let upstream = state.upstream {
        asked = (upstream, demand)
      }
      return (next, state.takeObserverIfIdle())
    }
    observer?.deliveriesEnded()
    if let (upstream, demand) = asked { upstream.request(demand) }
    return next
  }
}
