// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Replaces each `nil` with a given value.
  ///
  /// ![The numbers pass, and 0 is published in place of nil.](replace-nil)
  ///
  /// ```swift
  /// let readings = PassthroughSubject<Int?, Never>()
  /// let cancellable = readings.replaceNil(with: 0).sink { print($0) }
  /// readings.send(1)
  /// readings.send(nil)
  /// // Prints "1", "0" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock.
  ///
  /// Use ``compactMap(_:)`` to skip each `nil` instead, and ``replaceEmpty(with:)`` for a publisher that finishes
  /// without a value.
  ///
  /// - Parameter output: The value that replaces `nil`.
  /// - Returns: A publisher of values that are not optional.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func replaceNil<T>(with output: T) -> Publishers.Map<Self, T> where Output == T? {
    Publishers.Map(upstream: self) { $0 ?? output }
  }
}
