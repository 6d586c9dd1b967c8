// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher where Output: Hashable {
  /// Suppresses values that equal any value before them.
  ///
  /// ![A value passes the first time, and never again.](remove-all-duplicates)
  ///
  /// All values that have been published are kept until the stream ends, so memory grows with the number of different
  /// values.
  ///
  /// ```swift
  /// let cancellable = [1, 2, 1, 3, 2].publisher.removeAllDuplicates().sink { print($0) }
  /// // Prints "1", "2", "3" on three lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged; for each skipped value, one more is requested. `request(.none)` traps.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; values are compared on the thread that delivers them.
  ///
  /// Use `removeDuplicates()` to compare neighbours only, which keeps a single value, and ``removeAllDuplicates(by:)``
  /// for values that are not `Hashable`.
  ///
  /// - Returns: A publisher in which no value occurs twice.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func removeAllDuplicates() -> Publishers.Lifted<Output, Failure> {
    lift { RemoveAllDuplicatesStage<Output, Failure>() }
  }
}

extension Publisher {
  /// Suppresses values that a predicate considers equal to any value before them.
  ///
  /// ![A letter that has come before, whatever its case, is left out.](remove-all-duplicates-by)
  ///
  /// All values that have been published are kept until the stream ends, and each value is compared with all of them,
  /// so time grows with the square of the number of different values.
  ///
  /// ```swift
  /// let cancellable = ["sluice", "Gate", "gate", "Sluice"].publisher
  ///   .removeAllDuplicates { $0.lowercased() == $1.lowercased() }
  ///   .sink { print($0) }
  /// // Prints "sluice", "Gate" on two lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged; for each skipped value, one more is requested. `request(.none)` traps.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; the closure runs on the thread that delivers the value.
  ///
  /// Use ``removeAllDuplicates()`` for values that are `Hashable`, where the number of values matters less, and
  /// `removeDuplicates(by:)` to compare neighbours only.
  ///
  /// - Parameter predicate: A closure that returns whether its second argument counts as equal to its first, a value
  ///   that has been published.
  /// - Returns: A publisher in which no value counts as equal to an earlier one.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func removeAllDuplicates(
    by predicate: @escaping (Output, Output) -> Bool
  ) -> Publishers.Lifted<Output, Failure> {
    lift { RemoveAllDuplicatesByStage<Output, Failure>(predicate) }
  }
}

/// The stage of `removeAllDuplicates()`.
@usableFromInline
internal final class RemoveAllDuplicatesStage<Input: Hashable, Failure: Error>: ManagedStage {
  @usableFromInline internal typealias Channel = PassingChannel<Failure>

  @exclusivity(unchecked) @usableFromInline internal var seen: Set<Input> = []

  @inlinable
  internal init() {}

  @inlinable
  internal static var name: String { "RemoveAllDuplicates" }

  @inlinable
  internal func receive(_ input: Input) -> Verdict<Input, Failure> {
    seen.insert(input).inserted ? .emit(input) : .skip
  }
}

/// The stage of `removeAllDuplicates(by:)`.
@usableFromInline
internal final class RemoveAllDuplicatesByStage<Input, Failure: Error>: ManagedStage {
  @usableFromInline internal typealias Channel = PassingChannel<Failure>

  @usableFromInline internal let isSame: (Input, Input) -> Bool
  @exclusivity(unchecked) @usableFromInline internal var seen: [Input] = []

  @inlinable
  internal init(_ isSame: @escaping (Input, Input) -> Bool) { self.isSame = isSame }

  @inlinable
  internal static var name: String { "RemoveAllDuplicates" }

  @inlinable
  internal func receive(_ input: Input) -> Verdict<Input, Failure> {
    if isKnown(input) { return .skip }
    seen.append(input)
    return .emit(input)
  }

  /// Searches a copy, which costs nothing: the closure may send, and the nested call may append to the original.
  @inlinable
  internal func isKnown(_ input: Input) -> Bool {
    let known = seen
    return known.contains { isSame($0, input) }
  }
}
