// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Replaces each value with the same value.
  ///
  /// ![Every value becomes the same value.](map-to-value)
  ///
  /// ```swift
  /// let taps = PassthroughSubject<Void, Never>()
  /// let cancellable = taps.mapToValue(1).scan(0, +).sink { print($0) }
  /// taps.send()
  /// taps.send()
  /// // Prints "1", "2" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; values are delivered on the thread on which upstream delivers.
  ///
  /// Use `map(_:)` to make a new value each time, and ``withLatestFrom(_:)`` for a value that changes.
  ///
  /// - Parameter value: The value to publish.
  /// - Returns: A publisher of that value, once for each value of this one.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func mapToValue<Value>(_ value: Value) -> Publishers.Map<Self, Value> {
    map { _ in value }
  }

  /// Replaces each value with `Void`.
  ///
  /// ![Every value becomes an empty value: that something has come is left.](map-to-void)
  ///
  /// ```swift
  /// let (text, reload) = (PassthroughSubject<String, Never>(), PassthroughSubject<Void, Never>())
  /// let cancellable = text.mapToVoid().merge(with: reload).sink { print("load") }
  /// text.send("gate")
  /// reload.send()
  /// // Prints "load", "load" on two lines.
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``mapToValue(_:)``.
  ///
  /// Use `ignoreOutput()` when only the completion matters.
  ///
  /// - Returns: A publisher of `Void`, once for each value of this one.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func mapToVoid() -> Publishers.Map<Self, Void> {
    map { _ in }
  }
}
