// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Ignores this publisher's values, and republishes another publisher when this one has finished.
  ///
  /// ![The values of upstream are left out. When it has finished, those of the other follow.](and-then)
  ///
  /// ```swift
  /// let save = ["chunk 1", "chunk 2"].publisher
  /// let cancellable = save.andThen(Just(200)).sink { print("saved:", $0) }
  /// // Prints "saved: 200".
  /// ```
  ///
  /// **Demand:** passed to this publisher; for each of its values, which are dropped, one more is requested. The other
  /// publisher gets all of downstream's demand.
  ///
  /// **Completion:** the other publisher's.
  ///
  /// **Failure:** forwarded; after a failure of this publisher the other one is not subscribed to.
  ///
  /// **Concurrency:** adds no thread; the other publisher is subscribed to on the thread on which this one finishes.
  ///
  /// Use `append(_:)` to publish the values of both.
  ///
  /// - Parameter other: The publisher that follows.
  /// - Returns: A publisher of the other publisher's values.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func andThen<Other: Publisher>(_ other: Other)
    -> Publishers.Concatenate<Publishers.CompactMap<Self, Other.Output>, Other>
  where Other.Failure == Failure {
    compactMap { _ in nil as Other.Output? }.append(other)
  }
}
