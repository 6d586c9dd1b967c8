// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Publishes each value together with its predecessor.
  ///
  /// ![Each value is published with the one before; the first one has none, and waits for the second.](pairwise)
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
  /// **Completion:** forwarded. If upstream finishes after one value, no pair is published.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; pairs are delivered on the thread on which upstream delivers.
  ///
  /// Use ``combinePrevious(_:)`` to publish the first value as well, ``nwise(_:)`` for more than one predecessor, and
  /// `scan(_:_:)` to combine each value with everything before it.
  ///
  /// - Returns: A publisher of pairs: a value's predecessor, and the value.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func pairwise() -> Publishers.Lifted<(Output, Output), Failure> {
    lift { PairwiseStage<Output, Failure>() }
  }

  /// Publishes each value together with its predecessor, the first one with an initial value.
  ///
  /// ![Each value is published with the one before, the first one with 0.](combine-previous)
  ///
  /// It works as ``pairwise()``, but publishes as many pairs as there are values.
  ///
  /// ```swift
  /// let cancellable = [1, 4, 9].publisher.combinePrevious(0).map { $1 - $0 }.sink { print($0) }
  /// // Prints "1", "3", "5" on three lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged. `request(.none)` traps.
  ///
  /// **Completion:**, **Failure:** and **Concurrency:** as for ``pairwise()``.
  ///
  /// - Parameter initial: The predecessor of the first value.
  /// - Returns: A publisher of pairs: a value's predecessor, and the value.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func combinePrevious(_ initial: Output) -> Publishers.Lifted<(Output, Output), Failure> {
    lift { PairwiseStage<Output, Failure>(initial) }
  }
}

/// The stage of `pairwise()` and `combinePrevious(_:)`.
@usableFromInline
internal final class PairwiseStage<Input, Failure: Error>: ManagedStage {
  @usableFromInline internal typealias Channel = PassingChannel<Failure>

  @exclusivity(unchecked) @usableFromInline internal var last: Input?

  @inlinable
  internal init(_ initial: Input? = nil) { last = initial }

  @inlinable
  internal static var name: String { "Pairwise" }

  @inlinable
  internal func receive(_ input: Input) -> Verdict<(Input, Input), Failure> {
    guard let previous = exchange(&last, with: input) else { return .skip }
    return .emit((previous, input))
  }
}
