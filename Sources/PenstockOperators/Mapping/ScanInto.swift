// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Updates a result with each value, in place, and publishes it every time.
  ///
  /// A collection that grows is not copied for each value, unless a subscriber keeps what it received.
  ///
  /// ```swift
  /// let cancellable = ["a", "b", "a"].publisher
  ///   .scan(into: [:]) { counts, word in counts[word, default: 0] += 1 }
  ///   .sink { print($0["a", default: 0]) }
  /// // Prints "1", "1", "2" on three lines.
  /// ```
  ///
  /// The initial result is not published; put `prepend(_:)` behind this operator to publish it. Every subscription
  /// starts from it anew.
  ///
  /// **Demand:** passed to upstream unchanged. `request(.none)` traps.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; the closure runs on the thread that delivers the value.
  ///
  /// **Traps:** a closure that sends to its own upstream, since it would update a result that is being updated.
  ///
  /// Use `scan(_:_:)` to make a new result of the previous one, and `reduce(_:_:)` if only the last one matters.
  ///
  /// - Parameters:
  ///   - initialResult: The result to start from.
  ///   - update: A closure that updates the result with a value.
  /// - Returns: A publisher of the results.
  @_disfavoredOverload
  @inlinable
  public func scan<Result>(
    into initialResult: Result, _ update: @escaping (inout Result, Output) -> Void
  ) -> some Publisher<Result, Failure> {
    lift { ScanIntoStage<Output, Result, Failure>(initialResult, update) }
  }
}

/// The stage of `scan(into:_:)`.
@usableFromInline
internal final class ScanIntoStage<Input, Output, Failure: Error>: ManagedStage {
  @usableFromInline internal typealias Channel = PassingChannel<Failure>

  @usableFromInline internal let update: (inout Output, Input) -> Void
  /// `nil` while it is being updated: moved out, so that the closure has the only reference to what it changes.
  @exclusivity(unchecked) @usableFromInline internal var result: Output?

  @inlinable
  internal init(_ initialResult: Output, _ update: @escaping (inout Output, Input) -> Void) {
    result = initialResult
    self.update = update
  }

  @inlinable
  internal static var name: String { "ScanInto" }

  @inlinable
  internal func receive(_ input: Input) -> Verdict<Output, Failure> {
    guard var updated = result.take() else { trap(.nestedUpdate(operator: "scan(into:_:)")) }
    update(&updated, input)
    dispose(of: displace(&result, with: updated))
    return .emit(updated)
  }
}
