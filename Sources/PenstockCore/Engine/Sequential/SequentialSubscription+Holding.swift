// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import DequeModule
internal import Synchronization

/// Deliveries and introductions that outlive their upstream.
///
/// An upstream may end during its own delivery, or during downstream's introduction, and its successor may deliver on
/// another thread before that call has returned. So the thread that is busy becomes the *holder*: signals on that
/// thread nest, as in Combine, and signals of other threads wait until the holder's call has returned, as do requests
/// of other threads, since some publishers deliver during a request.
///
/// For an upstream that never ends during a delivery, none of this costs anything, except for a mark while a value is
/// being delivered.
extension SequentialSubscription {
  /// Records that an upstream is ending during a delivery of the calling thread.
  ///
  /// This is not needed if the thread is introducing downstream, and so is the holder already.
  internal final func holdDelivery(_ state: inout State) {
    let thread = currentThread()
    guard state.deliverer == 0, state.introducer != thread else { return }
    state.deliverer = thread
    publishHolder(state)
  }

  internal final func publishHolder(_ state: borrowing State) {
    holderMark.store(state.holder | (state.waiting.isEmpty ? 0 : 1), ordering: .relaxed)
  }

  /// Whether the calling thread is the holder, and no signal waits.
  ///
  /// Only that thread can end this state, so its read without the lock is reliable.
  @inline(never)
  internal final var isHolder: Bool { holderMark.load(ordering: .relaxed) == currentThread() }

  /// Whether a signal may have to wait.
  ///
  /// An upstream that was subscribed to while there was a holder sees the mark, or learns under the lock that the
  /// holder has gone.
  @usableFromInline @inline(never)
  internal final var mayHaveToWait: Bool {
    let mark = holderMark.load(ordering: .relaxed)
    return mark != 0 && mark != currentThread()
  }

  /// Stores a signal for the holder.
  ///
  /// - Returns: Whether there is a holder. If not, the calling thread may deliver, and so may later signals of the same
  ///   upstream.
  @usableFromInline
  internal final func hold(_ signal: @escaping (SequentialSubscription) -> Void) -> Bool {
    state.withLock { state in
      guard state.holder != 0 else { return false }
      // After the end it is dropped; the caller releases it.
      guard state.phase != .ended else { return true }
      state.waiting.append(Held(perform: signal))
      publishHolder(state)
      return true
    }
  }

  /// Continues after a delivery during which upstream has ended.
  ///
  /// - Parameters:
  ///   - more: The demand that downstream has returned, for the current upstream or the next one.
  ///   - isOutermost: Whether the delivery is not nested in another one.
  /// - Returns: The demand to return to the upstream that has ended.
  @usableFromInline
  internal final func endDeliveryOfCompleted(_ more: Subscribers.Demand, isOutermost: Bool) -> Subscribers.Demand {
    if more != .none { request(more) }
    if isOutermost { deliverHeldSignals() }
    return .none
  }

  /// Delivers the signals that other threads have stored while downstream was busy, and lets the current upstream
  /// deliver on its own.
  ///
  /// Called when the introduction, or an outermost delivery during which an upstream has ended, has returned. If both
  /// were running, the last one to return does the work.
  @usableFromInline
  internal final func deliverHeldSignals(afterIntroduction: Bool = false) {
    var next = afterIntroduction ? endIntroduction() : nextHeld()
    while let signal = next {
      signal.perform(self)
      next = nextHeld()
    }
  }

  /// - Returns: A signal to perform.
  private func endIntroduction() -> Held? {
    change { state in
      let thread = state.introducer
      state.introducer = 0
      // If another thread is in a delivery, that thread does the rest. As long as nothing waits, the first upstream may
      // be delivering on another thread, and only that thread may write the marks.
      if state.deliverer == 0, !state.waiting.isEmpty {
        state.deliverer = thread
        isDelivering = true
        return state.waiting.popFirst()
      }
      return nil
    }
  }

  /// - Returns: A signal to perform.
  private func nextHeld() -> Held? {
    change { state in
      // While a signal is performed, deliveries that nest in it are not the outermost. If the introduction is still
      // running, the rest is left to its thread.
      isDelivering = state.deliverer != 0 && state.introducer == 0 && !state.waiting.isEmpty
      state.deliverer = isDelivering ? currentThread() : 0
      return isDelivering ? state.waiting.popFirst() : nil
    }
  }

  /// Makes a transition and, if downstream is not busy any more, makes the requests that have waited.
  private func change(_ transition: (inout State) -> Held?) -> Held? {
    var asked: (upstream: BaseSubscription, demand: Subscribers.Demand)?
    let next = state.withLock { state -> Held? in
      let next = transition(&state)
      publishHolder(state)
      if state.holder == 0, let demand = state.asked.take(), let upstream = state.upstream {
        asked = (upstream, demand)
      }
      return next
    }
    if let (upstream, demand) = asked { upstream.request(demand) }
    return next
  }
}
