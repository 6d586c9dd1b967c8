// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Calls a closure for each subscriber, before upstream is subscribed to.
  ///
  /// ![The closure is called at the subscription, and the values pass.](on-start)
  ///
  /// So the closure runs before anything that upstream does for a subscriber, and before any value.
  ///
  /// ```swift
  /// let numbers = Deferred { print("begin"); return [1, 2].publisher }
  /// let cancellable = numbers.onStart { print("start") }.sink { print($0) }
  /// // Prints "start", "begin", "1", "2" on four lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; the closure runs on the thread that subscribes. A `retry` downstream calls
  /// it for each attempt.
  ///
  /// Use `handleEvents(receiveSubscription:)` for work that has to happen when upstream has sent a subscription, and
  /// ``finally(_:)`` for the end.
  ///
  /// - Parameter action: The closure.
  /// - Returns: A publisher of the same values.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func onStart(_ action: @escaping () -> Void) -> Deferred<Self> {
    let upstream = copy self
    return Deferred {
      action()
      return upstream
    }
  }
}
