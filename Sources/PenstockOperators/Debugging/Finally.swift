// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Calls a closure exactly once for each subscriber: when the stream finishes, fails or is cancelled.
  ///
  /// ![The values pass, and the closure is called before the completion.](finally)
  ///
  /// ```swift
  /// let cancellable = [1, 2].publisher.finally { print("over") }.sink(
  ///   receiveCompletion: { print($0) },
  ///   receiveValue: { print($0) })
  /// // Prints "1", "2", "over", "finished" on four lines.
  /// ```
  ///
  /// The closure is called before downstream gets the completion, so that a `retry` downstream begins the next attempt
  /// after the call. After a cancel, it is called when the cancel has reached upstream. If upstream drops its
  /// subscriber with neither a completion nor a cancel, it is called when downstream has released its subscription as
  /// well.
  ///
  /// **Demand:** passed to upstream unchanged.
  ///
  /// **Completion:** forwarded, after the closure has returned.
  ///
  /// **Failure:** forwarded, after the closure has returned.
  ///
  /// **Concurrency:** adds no thread. The closure runs on the thread that completes or cancels; if two threads do so at
  /// the same time, one of them calls it. If that thread cancels during a delivery on another thread, the delivery may
  /// still be running.
  ///
  /// Use `handleEvents` to tell the ends apart, ``PenstockCore/Publishers/using(resource:cleanup:publisher:)`` for a resource,
  /// and ``trackActivity(_:)`` to show that something runs.
  ///
  /// - Parameter action: The closure.
  /// - Returns: A publisher of the same values.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func finally(_ action: @escaping () -> Void) -> Publishers.Lifted<Output, Failure> {
    Publishers.Lifted(InUse<_, FinallyName>(upstream: self) { ResourceUse(action) })
  }
}

/// The name of `finally`.
@usableFromInline
internal enum FinallyName: UseName {
  @inlinable
  internal static var name: String { "Finally" }
}
