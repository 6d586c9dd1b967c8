// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import PenstockCore

extension Publisher {
  /// Publishes each value together with a number of its predecessors, as an array.
  ///
  /// ![Each value is published with the two before, as an array.](nwise)
  ///
  /// The first values, which have too few predecessors, are not published on their own.
  ///
  /// ```swift
  /// let cancellable = (1...4).publisher.nwise(3).sink { print($0) }
  /// // Prints "[1, 2, 3]", "[2, 3, 4]" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged; for each value before the first array, one more is requested.
  /// `request(.none)` traps.
  ///
  /// **Completion:** forwarded. If upstream finishes after too few values, no array is published.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; arrays are delivered on the thread on which upstream delivers.
  ///
  /// **Traps:** a size below 1.
  ///
  /// Use ``pairwise()`` for pairs, and `collect(_:)` for arrays in which each value occurs once.
  ///
  /// - Parameter size: The number of values in an array.
  /// - Returns: A publisher of arrays of that size.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func nwise(_ size: Int) -> Publishers.Lifted<[Output], Failure> {
    if size < 1 { trap(.countBelowOne(operator: "nwise(_:)")) }
    return lift { NwiseStage<Output, Failure>(size) }
  }
}

/// The stage of `nwise(_:)`.
@usableFromInline
internal final class NwiseStage<Input, Failure: Error>: ManagedStage {
  @usableFromInline internal typealias Channel = PassingChannel<Failure>

  @usableFromInline internal let size: Int
  @exclusivity(unchecked) @usableFromInline internal var window: Deque<Input> = []

  @inlinable
  internal init(_ size: Int) { self.size = size }

  @inlinable
  internal static var name: String { "Nwise" }

  @inlinable
  internal func receive(_ input: Input) -> Verdict<[Input], Failure> {
    window.append(input)
    guard window.count >= size else { return .skip }
    let values = Array(window)
    // Released only with the array, if at all: its `deinit` may send.
    _ = window.popFirst()
    return .emit(values)
  }
}
