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
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for `map(_:)` and `switchToLatest()`, of which
  /// it is made.
  ///
  /// Use ``flatMapFirst(_:)-1w8j7`` to ignore values while a publisher runs, and ``concatMap(_:)-9d5a`` when every result counts.
  ///
  /// - Parameter transform: A closure that makes a publisher of a value.
  /// - Returns: A publisher of the newest publisher's values.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func flatMapLatest<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.SwitchToLatest<P, Publishers.Map<Self, P>> where P.Failure == Failure {
    map(transform).switchToLatest()
  }
}

extension Publisher where Failure == Never {
  /// Turns each value into a publisher that can fail, and republishes the newest of them; upstream cannot fail.
  ///
  /// ![The values of the newest letter's publisher are published; the one before is cancelled.](flat-map-latest)
  ///
  /// It works as ``flatMapLatest(_:)-3uxl5``, which takes publishers with the same failure type.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as there.
  ///
  /// - Parameter transform: A closure that makes a publisher of a value.
  /// - Returns: A publisher of the newest publisher's values.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func flatMapLatest<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.SwitchToLatest<P, Publishers.Map<Publishers.SetFailureType<Self, P.Failure>, P>> {
    setFailureType(to: P.Failure.self).flatMapLatest(transform)
  }

  /// Turns each value into a publisher, and republishes the newest of them; neither side can fail.
  ///
  /// ![The values of the newest letter's publisher are published; the one before is cancelled.](flat-map-latest)
  ///
  /// It works as ``flatMapLatest(_:)-3uxl5``, which takes publishers with the same failure type.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as there.
  ///
  /// - Parameter transform: A closure that makes a publisher of a value.
  /// - Returns: A publisher of the newest publisher's values.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func flatMapLatest<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.SwitchToLatest<P, Publishers.Map<Self, P>> where P.Failure == Never {
    map(transform).switchToLatest()
  }
}

extension Publisher {
  /// Turns each value into a publisher that cannot fail, and republishes the newest of them.
  ///
  /// ![The values of the newest letter's publisher are published; the one before is cancelled.](flat-map-latest)
  ///
  /// It works as ``flatMapLatest(_:)-3uxl5``, which takes publishers with the same failure type.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as there.
  ///
  /// - Parameter transform: A closure that makes a publisher of a value.
  /// - Returns: A publisher of the newest publisher's values.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func flatMapLatest<P: Publisher>(
    _ transform: @escaping (Output) -> P
  )
    -> Publishers.SwitchToLatest<
      Publishers.SetFailureType<P, Failure>, Publishers.Map<Self, Publishers.SetFailureType<P, Failure>>
    > where P.Failure == Never
  {
    flatMapLatest { transform($0).setFailureType(to: Failure.self) }
  }
}
