// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The calls of a `forEach`, which waits for the end of the stream and then for the end of each call.
@usableFromInline
internal final class ConcurrentCalls: Sendable {
  @usableFromInline internal typealias End = Subscribers.Completion<any Error>

  private struct State {
    var running = 0
    /// How the stream has ended.
    var end: End?
    var waiter: UnsafeContinuation<End, Never>?
    var subscription: AnyCancellable?

    /// Returns the waiter, if there is nothing left to wait for.
    mutating func release() -> (waiter: UnsafeContinuation<End, Never>, end: End)? {
      guard running == 0, let end, let waiter = waiter.take() else { return nil }
      return (waiter, end)
    }
  }

  private let state = Guarded(State())

  @usableFromInline
  internal init() {}

  /// Runs a stream, and waits for its end and for the end of the calls; a cancelled task runs no stream.
  ///
  /// - Parameter subscribe: Attaches the subscriber; gets the closure that has to be called with the completion.
  @usableFromInline
  internal nonisolated(nonsending) func run(
    _ subscribe: (@escaping @Sendable (End) -> Void) -> AnyCancellable
  ) async -> End {
    if Task.isCancelled { return .failure(CancellationError()) }
    return await withTaskCancellationHandler {
      keep(subscribe { end in self.finish(end) })
      return await state.suspend { state, waiter in
        state.waiter = waiter
        return state.release()?.end
      }
    } onCancel: {
      finish(.failure(CancellationError()))
    }
  }

  /// Keeps the subscription until the end, which may already have come.
  private func keep(_ subscription: AnyCancellable) {
    let isOver = state.withLock { state in
      if state.end == nil { state.subscription = subscription }
      return state.end != nil
    }
    if isOver { subscription.cancel() }
  }

  /// Ends the stream, unless it has ended, and cancels the running calls.
  private func finish(_ end: End) {
    let (subscription, released) = state.withLock { state in
      if state.end == nil { state.end = end }
      return (state.subscription.take(), state.release())
    }
    subscription?.cancel()
    resume(released)
  }

  private func resume(_ released: (waiter: UnsafeContinuation<End, Never>, end: End)?) {
    if let released { released.waiter.resume(returning: released.end) }
  }

  // MARK: The calls

  /// Begins a call.
  ///
  /// - Returns: Whether the stream continues; if not, the call is not made.
  @usableFromInline
  internal func begin() -> Bool {
    state.withLock { state in
      if state.end != nil { return false }
      state.running += 1
      return true
    }
  }

  @usableFromInline
  internal func end() {
    resume(
      state.withLock { state in
        state.running -= 1
        return state.release()
      })
  }
}
