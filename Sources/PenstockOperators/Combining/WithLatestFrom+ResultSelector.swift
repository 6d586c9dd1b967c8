// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

// These overloads have the label of CombineExt and RxSwift. A trailing closure also fits the overload without a label;
// the parameter with a default makes these the second choice for it.

extension Publisher {
  /// Combines each value with the latest value of another publisher by a closure with a label.
  ///
  /// ![Each value of upstream is published together with the latest of the other.](with-latest-from-transform)
  ///
  /// ```swift
  /// let (taps, text) = (PassthroughSubject<Int, Never>(), CurrentValueSubject<Int, Never>(10))
  /// let cancellable = taps.withLatestFrom(text, resultSelector: +).sink { print($0) }
  /// taps.send(1)
  /// // Prints "11".
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``withLatestFrom(_:_:)->Publishers.Lifted<(A.Output,B.Output),Self.Failure>``.
  ///
  /// - Parameters:
  ///   - other: The other publisher.
  ///   - resultSelector: A closure that combines two values into one.
  ///   - unlabelled: Nothing to be given.
  /// - Returns: A publisher of the closure's results.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func withLatestFrom<Other: Publisher, Result>(
    _ other: Other, resultSelector: @escaping (Output, Other.Output) -> Result, _ unlabelled: Void = ()
  ) -> Publishers.Lifted<Result, Failure> where Other.Failure == Failure {
    withLatestFrom(other, resultSelector)
  }

  /// Combines each value with the latest values of two other publishers by a closure with a label.
  ///
  /// ![Each value of upstream is published together with the latest of all others, once all have
  /// one.](with-latest-from-several-transform)
  ///
  /// ```swift
  /// let (taps, two, three) = (PassthroughSubject<Int, Never>(), Just(2), Just(3))
  /// let cancellable = taps.withLatestFrom(two, three, resultSelector: { $0 + $1.0 * $1.1 }).sink { print($0) }
  /// taps.send(1)
  /// // Prints "7".
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``withLatestFrom(_:_:)->Publishers.Lifted<(A.Output,B.Output),Self.Failure>``.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func withLatestFrom<A: Publisher, B: Publisher, Result>(
    _ first: A, _ second: B, resultSelector: @escaping (Output, (A.Output, B.Output)) -> Result,
    _ unlabelled: Void = ()
  ) -> Publishers.Lifted<Result, Failure> where A.Failure == Failure, B.Failure == Failure {
    withLatestFrom(first, second, resultSelector)
  }

  /// Combines each value with the latest values of three other publishers by a closure with a label.
  ///
  /// ![Each value of upstream is published together with the latest of all others, once all have
  /// one.](with-latest-from-several-transform)
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``withLatestFrom(_:_:)->Publishers.Lifted<(A.Output,B.Output),Self.Failure>``.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func withLatestFrom<A: Publisher, B: Publisher, C: Publisher, Result>(
    _ first: A, _ second: B, _ third: C,
    resultSelector: @escaping (Output, (A.Output, B.Output, C.Output)) -> Result, _ unlabelled: Void = ()
  ) -> Publishers.Lifted<Result, Failure> where A.Failure == Failure, B.Failure == Failure, C.Failure == Failure {
    withLatestFrom(first, second, third, resultSelector)
  }
}
