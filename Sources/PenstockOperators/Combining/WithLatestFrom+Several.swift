// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Combines each value with the latest values of two other publishers.
  ///
  /// ![Each value of upstream is published together with the latest of all others, once all have
  /// one.](with-latest-from-several-transform)
  ///
  /// ```swift
  /// let (taps, level) = (PassthroughSubject<String, Never>(), CurrentValueSubject<Int, Never>(1))
  /// let mode = CurrentValueSubject<String, Never>("dry")
  /// let cancellable = taps.withLatestFrom(level, mode) { "\($0): \($1.0), \($1.1)" }.sink { print($0) }
  /// taps.send("first")
  /// level.value = 2
  /// taps.send("second")
  /// // Prints "first: 1, dry", "second: 2, dry" on two lines.
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for
  /// ``withLatestFrom(_:_:)->Publishers.Lifted<(A.Output,B.Output),Self.Failure>``, with the others as one publisher: their `combineLatest`. A value is left out
  /// until all of them have delivered one.
  ///
  /// - Parameters:
  ///   - first: A publisher whose latest value is used.
  ///   - second: Another one.
  ///   - transform: A closure that makes an output of a value and the latest values of the others.
  /// - Returns: A publisher of the closure's results.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func withLatestFrom<A: Publisher, B: Publisher, Result>(
    _ first: A, _ second: B, _ transform: @escaping (Output, (A.Output, B.Output)) -> Result
  ) -> Publishers.Lifted<Result, Failure> where A.Failure == Failure, B.Failure == Failure {
    withLatestFrom(first.combineLatest(second), transform)
  }

  /// Combines each value with the latest values of three other publishers.
  ///
  /// ![Each value of upstream is published together with the latest of all others, once all have
  /// one.](with-latest-from-several-transform)
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for the form with two.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func withLatestFrom<A: Publisher, B: Publisher, C: Publisher, Result>(
    _ first: A, _ second: B, _ third: C, _ transform: @escaping (Output, (A.Output, B.Output, C.Output)) -> Result
  ) -> Publishers.Lifted<Result, Failure> where A.Failure == Failure, B.Failure == Failure, C.Failure == Failure {
    withLatestFrom(first.combineLatest(second, third), transform)
  }

  /// Combines each value with the latest values of four other publishers.
  ///
  /// ![Each value of upstream is published together with the latest of all others, once all have
  /// one.](with-latest-from-several-transform)
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for the form with two.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func withLatestFrom<A: Publisher, B: Publisher, C: Publisher, D: Publisher, Result>(
    _ first: A, _ second: B, _ third: C, _ fourth: D,
    _ transform: @escaping (Output, (A.Output, B.Output, C.Output, D.Output)) -> Result
  ) -> Publishers.Lifted<Result, Failure>
  where A.Failure == Failure, B.Failure == Failure, C.Failure == Failure, D.Failure == Failure {
    withLatestFrom(first.combineLatest(second, third, fourth), transform)
  }

  /// Publishes the latest values of two other publishers whenever this publisher delivers a value.
  ///
  /// ![Each value of upstream is published with the latest of all others, once all have one.](with-latest-from-several)
  ///
  /// ```swift
  /// let save = PassthroughSubject<Void, Never>()
  /// let (name, age) = (CurrentValueSubject<String, Never>("Ada"), CurrentValueSubject<Int, Never>(36))
  /// let cancellable = save.withLatestFrom(name, age).sink { print($0, $1) }
  /// save.send()
  /// age.value = 37
  /// save.send()
  /// // Prints "Ada 36", "Ada 37" on two lines.
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``withLatestFrom(_:_:)->Publishers.Lifted<(A.Output,B.Output),Self.Failure>``.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func withLatestFrom<A: Publisher, B: Publisher>(
    _ first: A, _ second: B
  ) -> Publishers.Lifted<(A.Output, B.Output), Failure> where A.Failure == Failure, B.Failure == Failure {
    withLatestFrom(first.combineLatest(second))
  }

  /// Publishes the latest values of three other publishers whenever this publisher delivers a value.
  ///
  /// ![Each value of upstream is published with the latest of all others, once all have one.](with-latest-from-several)
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``withLatestFrom(_:_:)->Publishers.Lifted<(A.Output,B.Output),Self.Failure>``.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func withLatestFrom<A: Publisher, B: Publisher, C: Publisher>(
    _ first: A, _ second: B, _ third: C
  ) -> Publishers.Lifted<(A.Output, B.Output, C.Output), Failure>
  where A.Failure == Failure, B.Failure == Failure, C.Failure == Failure {
    withLatestFrom(first.combineLatest(second, third))
  }

  /// Publishes the latest values of four other publishers whenever this publisher delivers a value.
  ///
  /// ![Each value of upstream is published with the latest of all others, once all have one.](with-latest-from-several)
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``withLatestFrom(_:_:)->Publishers.Lifted<(A.Output,B.Output),Self.Failure>``.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func withLatestFrom<A: Publisher, B: Publisher, C: Publisher, D: Publisher>(
    _ first: A, _ second: B, _ third: C, _ fourth: D
  ) -> Publishers.Lifted<(A.Output, B.Output, C.Output, D.Output), Failure>
  where A.Failure == Failure, B.Failure == Failure, C.Failure == Failure, D.Failure == Failure {
    withLatestFrom(first.combineLatest(second, third, fourth))
  }
}
