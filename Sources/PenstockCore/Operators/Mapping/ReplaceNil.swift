// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Publisher {
  /// Puts a value in the place of each `nil`.
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
  /// - Parameter output: What stands in for `nil`.
  /// - Returns: A publisher of values that are not optional.
  @inlinable
  public func replaceNil<T>(with output: T) -> Publishers.Map<Self, T> where Output == T? {
    Publishers.Map(upstream: self) { $0 ?? output }
  }
}
