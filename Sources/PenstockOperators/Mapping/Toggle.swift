// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher where Output == Bool {
  /// Republishes the opposite of each value.
  ///
  /// ![Each truth value becomes its opposite.](toggle)
  ///
  /// ```swift
  /// let isHidden = CurrentValueSubject<Bool, Never>(true)
  /// let cancellable = isHidden.toggle().sink { print("visible:", $0) }
  /// isHidden.value = false
  /// // Prints "visible: false", "visible: true" on two lines.
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
  /// Use `scan` to switch a state at each value: `taps.scan(false) { state, _ in !state }`.
  ///
  /// - Returns: A publisher of the opposite values.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func toggle() -> Publishers.Map<Self, Bool> {
    map { !$0 }
  }

  /// Republishes the opposite of each value: another name of ``toggle()``, which reads well beside ``and(_:)`` and
  /// ``or(_:)``.
  ///
  /// ![Each truth value becomes its opposite.](not)
  ///
  /// ```swift
  /// let (isEmpty, isBusy) = (CurrentValueSubject<Bool, Never>(true), Just(false))
  /// let cancellable = isEmpty.not().and(isBusy.not()).sink { print("can send:", $0) }
  /// isEmpty.value = false
  /// // Prints "can send: false", "can send: true" on two lines.
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``toggle()``.
  ///
  /// - Returns: A publisher of the opposite values.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func not() -> Publishers.Map<Self, Bool> {
    toggle()
  }
}
