// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Publishes each value together with its index.
  ///
  /// ![Each value is published with its index, from 0.](enumerated)
  ///
  /// Indices count from 0, for each subscriber.
  ///
  /// ```swift
  /// let cancellable = ["a", "b"].publisher.enumerated().sink { print($0.index, $0.element) }
  /// // Prints "0 a", "1 b" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged. `request(.none)` traps.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; pairs are delivered on the thread on which upstream delivers.
  ///
  /// Use `output(at:)` for the value at one index, and `count()` for the number of values.
  ///
  /// - Returns: A publisher of pairs: an index, and the value.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func enumerated() -> Publishers.Lifted<(index: Int, element: Output), Failure> {
    lift { EnumeratedStage<Output, Failure>() }
  }
}

/// The stage of `enumerated()`.
@usableFromInline
internal final class EnumeratedStage<Input, Failure: Error>: ManagedStage {
  @usableFromInline internal typealias Output = (index: Int, element: Input)
  @usableFromInline internal typealias Channel = PassingChannel<Failure>

  @exclusivity(unchecked) @usableFromInline internal var count = 0

  @inlinable
  internal init() {}

  @inlinable
  internal static var name: String { "Enumerated" }

  @inlinable
  internal func receive(_ input: Input) -> Verdict<Output, Failure> {
    // Counted before the delivery, during which the next value may arrive.
    defer { count += 1 }
    return .emit((count, input))
  }
}
