// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

/// Waits for what a call reports to a closure, once and on any thread.
package func result<Value: Sendable>(
  isolation: isolated (any Actor)? = #isolation, of call: (_ done: @escaping @Sendable (Value) -> Void) -> Void
) async -> Value {
  await withUnsafeContinuation { waiter in call { waiter.resume(returning: $0) } }
}

/// Waits for what a call reports to a closure, and lets the call know if the task is cancelled meanwhile.
///
/// The call reports after a cancel, too: it says itself what a cancel makes of it.
package func result<Value: Sendable>(
  isolation: isolated (any Actor)? = #isolation,
  of call: (_ cancellation: Cancellation, _ done: @escaping @Sendable (Value) -> Void) -> Void
) async -> Value {
  let cancellation = Cancellation()
  return await withTaskCancellationHandler {
    await result { done in call(cancellation, done) }
  } onCancel: {
    cancellation.cancel()
  }
}

/// A cancel that may come before the call that it is for has begun.
package final class Cancellation: Sendable {
  private struct State {
    var isCancelled = false
    var action: (@Sendable () -> Void)?
  }

  private let state = Guarded(State())

  package init() {}

  /// Sets what a cancel does, in place of what it did before; after a cancel, does it at once.
  package func onCancel(_ action: @escaping @Sendable () -> Void) {
    let (isCancelled, previous) = state.withLock { ($0.isCancelled, exchange(&$0.action, with: action)) }
    withExtendedLifetime(previous) {}
    if isCancelled { action() }
  }

  package func cancel() {
    let action = state.withLock { state in
      state.isCancelled = true
      return state.action
    }
    action?()
  }
}
