// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Republishes all values, and finishes or stays open when upstream fails.
  ///
  /// ![The values pass. After the failure nothing comes any more, not even the end.](ignore-failure-open)
  ///
  /// ```swift
  /// struct Offline: Error {}
  /// let cancellable = Fail<Int, Offline>(error: Offline()).prepend(1).ignoreFailure(completeImmediately: false).sink(
  ///   receiveCompletion: { print($0) },
  ///   receiveValue: { print($0) })
  /// // Prints "1".
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged. `request(.none)` traps.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** replaced by `.finished`, or, with `false`, by nothing: the stream stays open, and only a cancel ends it.
  /// The failure is lost; a `handleEvents` or `print` before this operator sees it.
  ///
  /// **Concurrency:** adds no thread; values are delivered on the thread on which upstream delivers.
  ///
  /// Use ``ignoreFailure()`` to finish in every case.
  ///
  /// - Parameter completeImmediately: Whether a failure finishes the publisher.
  /// - Returns: A publisher that cannot fail.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func ignoreFailure(completeImmediately: Bool) -> Publishers.Catch<Self, Empty<Output, Never>> {
    `catch` { _ in Empty(completeImmediately: completeImmediately) }
  }

  /// Republishes all values, finishes or stays open when upstream fails, and declares another failure type.
  ///
  /// ![The values pass. After the failure nothing comes any more, not even the end.](ignore-failure-open)
  ///
  /// ```swift
  /// struct Offline: Error {}
  /// struct Invalid: Error {}
  /// let cancellable = Fail<Int, Offline>(error: Offline()).prepend(1)
  ///   .ignoreFailure(setFailureType: Invalid.self, completeImmediately: false)
  ///   .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// // Prints "1".
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``ignoreFailure(completeImmediately:)``.
  ///
  /// - Parameters:
  ///   - failureType: The failure type to declare.
  ///   - completeImmediately: Whether a failure finishes the publisher.
  /// - Returns: A publisher that does not fail.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func ignoreFailure<NewFailure: Error>(
    setFailureType failureType: NewFailure.Type, completeImmediately: Bool
  ) -> Publishers.Catch<Self, Empty<Output, NewFailure>> {
    `catch` { _ in Empty(completeImmediately: completeImmediately) }
  }
}
