// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher where Output == Bool {
  /// Publishes whether the latest values of two publishers are both true.
  ///
  /// ![It is published whether both are true, for each value of either.](and)
  ///
  /// Nothing is published before both have a value; then each value of either publishes a result, whether it is the
  /// same as before or not.
  ///
  /// ```swift
  /// let (isValid, isOnline) = (CurrentValueSubject<Bool, Never>(true), CurrentValueSubject<Bool, Never>(false))
  /// let cancellable = isValid.and(isOnline).sink { print($0) }
  /// isOnline.value = true
  /// // Prints "false", "true" on two lines.
  /// ```
  ///
  /// **Demand:** passed to both unchanged, and counted. A value that arrives while nothing is requested only replaces
  /// the previous one; it is part of the next result. `request(.none)` traps.
  ///
  /// **Completion:** when both have finished. The last value of one that has finished stays in use.
  ///
  /// **Failure:** a failure of either is forwarded, and cancels the other.
  ///
  /// **Concurrency:** both publishers may deliver on any thread; downstream receives one signal at a time.
  ///
  /// Use ``or(_:)`` for at least one, `removeDuplicates()` after it to publish changes only, and `combineLatest` for
  /// another rule.
  ///
  /// - Parameter other: The other publisher.
  /// - Returns: A publisher of whether both are true.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func and<Other: Publisher>(_ other: Other)
    -> Publishers.Map<Publishers.CombineLatest<Self, Other>, Bool>
  where Other.Output == Bool, Other.Failure == Failure {
    combineLatest(other) { $0 && $1 }
  }

  /// Publishes whether at least one of the latest values of two publishers is true.
  ///
  /// ![It is published whether one of them is true, for each value of either.](or)
  ///
  /// ```swift
  /// let (isLoading, isSaving) = (CurrentValueSubject<Bool, Never>(false), CurrentValueSubject<Bool, Never>(false))
  /// let cancellable = isLoading.or(isSaving).sink { print($0) }
  /// isSaving.value = true
  /// // Prints "false", "true" on two lines.
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``and(_:)``.
  ///
  /// - Parameter other: The other publisher.
  /// - Returns: A publisher of whether at least one is true.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func or<Other: Publisher>(_ other: Other)
    -> Publishers.Map<Publishers.CombineLatest<Self, Other>, Bool>
  where Other.Output == Bool, Other.Failure == Failure {
    combineLatest(other) { $0 || $1 }
  }
}
