// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import PenstockCore

/// How a source joins, and what it asks for.
extension EmitterSource {
  /// Delivers a subscription, and starts the source if the subscriber has not cancelled meanwhile.
  @inlinable
  internal func start(
    _ downstream: ErasedSubscriber, _ attach: (Publishers.Emitter<Output, Failure>) -> any Cancellable
  ) {
    let subscription = introduce(downstream, name: "Create")
    let isOver = state.withLock { state in
      state.isBusy = false
      return state.downstream == nil
    }
    if !isOver { keep(attach(Publishers.Emitter(self, subscription))) }
  }

  /// Keeps the cleanup until the end, or runs it at once.
  @inlinable
  internal func keep(_ cleanup: any Cancellable) {
    let isKept = state.withLock { state in
      if !state.isOpen { return false }
      state.source.cleanup = cleanup
      state.isAttached = true
      return true
    }
    if isKept { return }
    cleanup.cancel()
    // A completion that the closure has sent is delivered after the cleanup, too.
    state.withLock { $0.isAttached = true }
    proceed(isOwner: false)
  }

  /// Whether the source may still send.
  @inlinable
  internal var isOpen: Bool { state.withLock { $0.isOpen } }

  /// The number of values that would be delivered without waiting for a request.
  @inlinable
  internal var openDemand: Subscribers.Demand {
    state.withLock { state in
      guard state.isOpen else { return .none }
      let balance = ledger.balance
      return balance > state.waiting.count ? balance - state.waiting.count : .none
    }
  }

  @inlinable
  internal func setOnDemand(_ action: @escaping (Subscribers.Demand) -> Void) {
    // The replaced closure is released outside the lock.
    let replaced = state.withLock { state in
      state.isOpen ? exchange(&state.source.onDemand, with: action) : nil
    }
    withExtendedLifetime(replaced) {}
    proceed(isOwner: false)
  }

  @inlinable
  internal func setOnCancel(_ action: @escaping () -> Void) {
    let (replaced, isCancelled) = state.withLock { state in
      (state.isOpen ? exchange(&state.source.onCancel, with: action) : nil, state.isCancelled)
    }
    withExtendedLifetime(replaced) {}
    if isCancelled { action() }
  }
}
