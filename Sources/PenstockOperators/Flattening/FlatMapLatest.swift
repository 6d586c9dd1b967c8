// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Turns each value into a publisher, and republishes the newest of them.
  ///
  /// ![The values of the newest letter's publisher are published; the one before is cancelled.](flat-map-latest)
  ///
  /// ```swift
  /// let (words, answers) = (PassthroughSubject<String, Never>(), PassthroughSubject<Int, Never>())
  /// let cancellable = words.flatMapLatest { word in answers.map { "\(word): \($0)" } }.sink { print($0) }
  /// words.send("gat")
  /// words.send("gate")
  /// answers.send(3)
  /// // Prints "gate: 3".
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for `map(_:)` and `switchToLatest()`, which it
  /// makes.
  ///
  /// Use ``flatMapFirst(_:)`` to ignore values while a publisher runs, and ``concatMap(_:)`` when every result counts.
  ///
  /// - Parameter transform: A closure that makes a publisher of a value.
  /// - Returns: A publisher of the newest publisher's values.
  @_disfavoredOverload
  @inlinable
  public consuming func flatMapLatest<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.SwitchToLatest<P, Publishers.Map<Self, P>> where P.Failure == Failure {
    map(transform).switchToLatest()
  }
}
