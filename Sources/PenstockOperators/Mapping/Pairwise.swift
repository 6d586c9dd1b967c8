// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Publishes each value together with its predecessor.
  ///
  /// The first value has no predecessor, and is not published on its own.
  ///
  /// ```swift
  /// let cancellable = [1, 4, 9].publisher.pairwise().sink { print($0.0, "to", $0.1) }
  /// // Prints "1 to 4", "4 to 9" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged; for the first value, one more is requested. `request(.none)` traps.
  ///
  /// **Completion:** forwarded. A publisher that finishes after one value gives none.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; pairs are delivered on the thread on which upstream delivers.
  ///
  /// Use `scan(_:_:)` to combine each value with everything before it, and `removeDuplicates()` to compare neighbours
  /// only.
  ///
  /// - Returns: A publisher of pairs: a value's predecessor, and the value.
  @_disfavoredOverload
  @inlinable
  public func pairwise() -> some Publisher<(Output, Output), Failure> {
    lift { PairwiseStage<Output, Failure>() }
  }
}

/// The stage of `pairwise()`.
@usableFromInline
internal final class PairwiseStage<Input, Failure: Error>: ManagedStage {
  @usableFromInline internal typealias Channel = PassingChannel<Failure>

  @exclusivity(unchecked) @usableFromInline internal var last: Input?

  @inlinable
  internal init() {}

  @inlinable
  internal static var name: String { "Pairwise" }

  @inlinable
  internal func receive(_ input: Input) -> Verdict<(Input, Input), Failure> {
    guard let previous = exchange(&last, with: input) else { return .skip }
    return .emit((previous, input))
  }
}
