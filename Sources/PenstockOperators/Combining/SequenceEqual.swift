// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Publishes whether another publisher has equal values, in the same order and number.
  ///
  /// ![The second values differ: false is published, and both are cancelled.](sequence-equal)
  ///
  /// ```swift
  /// let cancellable = [1, 2].publisher.sequenceEqual([1, 2, 3].publisher).sink { print($0) }
  /// // Prints "false".
  /// ```
  ///
  /// **Demand:** 16 values are requested from both at once, and more as pairs are compared: a publisher that is 16
  /// values ahead has to wait. The result waits until it is requested. `request(.none)` traps. A source that cannot
  /// wait, such as a `PassthroughSubject`, loses values that were not requested; put a `buffer` after it.
  ///
  /// **Completion:** `.finished` follows the result: false at the first pair that differs, or when one publisher has
  /// finished and the other has another value; true when both have finished. Where it is false, both are cancelled.
  ///
  /// **Failure:** the first failure ends the stream, and the other publisher is cancelled.
  ///
  /// **Concurrency:** both may deliver on any thread; values are compared one pair at a time, on one of these threads.
  ///
  /// Use `zip(_:)` to see the pairs, and ``sequenceEqual(_:by:)`` for values that cannot be compared for equality.
  ///
  /// - Parameter other: The other publisher.
  /// - Returns: A publisher of one truth value.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func sequenceEqual<Other: Publisher>(_ other: Other) -> Publishers.Lifted<Bool, Failure>
  where Output: Equatable, Other.Output == Output, Other.Failure == Failure {
    sequenceEqual(other) { $0 == $1 }
  }

  /// Publishes whether another publisher has equivalent values, in the same order and number.
  ///
  /// ![The values are the same but for their signs, so true is published at the end.](sequence-equal-by)
  ///
  /// It works as ``sequenceEqual(_:)``.
  ///
  /// ```swift
  /// let cancellable = ["A", "b"].publisher
  ///   .sequenceEqual(["a", "B"].publisher) { $0.lowercased() == $1.lowercased() }
  ///   .sink { print($0) }
  /// // Prints "true".
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``sequenceEqual(_:)``. The closure runs on the
  /// thread that delivers the later of two values.
  ///
  /// - Parameters:
  ///   - other: The other publisher.
  ///   - areEquivalent: A closure that returns whether two values are to count as equal.
  /// - Returns: A publisher of one truth value.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func sequenceEqual<Other: Publisher>(
    _ other: Other, by areEquivalent: @escaping (Output, Other.Output) -> Bool
  ) -> Publishers.Lifted<Bool, Failure> where Other.Failure == Failure {
    // The ends are values, too: `nil` meets `nil` if both publishers have the same number of values.
    Publishers.Lifted(
      map(Optional.some).append(nil).zip(other.map(Optional.some).append(nil))
        .limitRequests(to: 16)
        .allSatisfy { pair in
          switch pair {
          case (let first?, let second?): areEquivalent(first, second)
          case (nil, nil): true
          default: false
          }
        })
  }
}
