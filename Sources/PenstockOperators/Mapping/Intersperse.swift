// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Republishes the values with a separator between any two of them.
  ///
  /// ![A separator is published between any two values.](intersperse)
  ///
  /// ```swift
  /// let cancellable = ["a", "b", "c"].publisher.intersperse(", ").collect().sink { print($0.joined()) }
  /// // Prints "a, b, c".
  /// ```
  ///
  /// **Demand:** a separator uses up demand, too. Values are requested from upstream one at a time, when all outputs
  /// have been delivered and more are wanted, so that at most one value waits; unlimited values are requested if
  /// downstream requests them. `request(.none)` traps.
  ///
  /// **Completion:** forwarded, after a value that waits. No separator follows the last value.
  ///
  /// **Failure:** forwarded, after a value that waits.
  ///
  /// **Concurrency:** adds no thread; outputs are delivered on the thread on which upstream delivers, or on the one that
  /// requests them if they wait.
  ///
  /// Use `scan(_:_:)` or ``pairwise()`` to combine each value with the one before it.
  ///
  /// - Parameter separator: The value that is published between two values.
  /// - Returns: A publisher of the values and the separators.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func intersperse(_ separator: Output) -> Publishers.Lifted<Output, Failure> {
    lift { IntersperseStage<Output, Failure>(separator) }
  }
}

/// The stage of `intersperse(_:)`.
@usableFromInline
internal final class IntersperseStage<Input, Failure: Error>: ExpandingStage {
  @usableFromInline internal typealias Channel = PassingChannel<Failure>

  @usableFromInline internal let separator: Input
  @exclusivity(unchecked) @usableFromInline internal var hasStarted = false

  @inlinable
  internal init(_ separator: Input) { self.separator = separator }

  @inlinable
  internal static var name: String { "Intersperse" }

  @inlinable
  internal func receive(_ input: Input, into outputs: inout Outputs<Input>) -> Verdict<Input, Failure> {
    if hasStarted { outputs.append(separator) }
    hasStarted = true
    return .emit(input)
  }

  @inlinable
  internal func finish(
    _ completion: Subscribers.Completion<Failure>, into outputs: inout Outputs<Input>
  ) -> Subscribers.Completion<Failure> { completion }
}
