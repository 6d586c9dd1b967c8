// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// What happens to the first value that does not satisfy the predicate of `prefix(while:behavior:)`.
public enum PrefixWhileBehavior: Sendable {
  /// It is published as the last value.
  case inclusive

  /// It is left out, as by `prefix(while:)`.
  case exclusive
}

extension Publisher {
  /// Republishes values while they satisfy a predicate, with or without the first one that does not, and then finishes.
  ///
  /// ![Values pass up to the first that is not below 10, and that one too. Then upstream is
  /// cancelled.](prefix-while-behavior)
  ///
  /// ```swift
  /// let cancellable = [40, 70, 100, 100].publisher
  ///   .prefix(while: { $0 < 100 }, behavior: .inclusive)
  ///   .sink { print($0) }
  /// // Prints "40", "70", "100" on three lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged. `request(.none)` traps.
  ///
  /// **Completion:** forwarded. The first value that does not satisfy the predicate cancels upstream and finishes the
  /// publisher.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread and no lock; the closure runs on the thread that delivers the value.
  ///
  /// Use `first(where:)` for that value alone, and `prefix(_:)` to end after a number of values.
  ///
  /// - Parameters:
  ///   - predicate: A closure that returns whether to keep republishing.
  ///   - behavior: Whether the value that does not satisfy the predicate is published.
  /// - Returns: A publisher of the values up to the first one that does not satisfy the predicate.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func prefix(
    while predicate: @escaping (Output) -> Bool, behavior: PrefixWhileBehavior
  ) -> Publishers.Lifted<Output, Failure> {
    lift { PrefixWhileBehaviorStage<Output, Failure>(predicate, behavior) }
  }
}

/// The stage of `prefix(while:behavior:)`.
@frozen
@usableFromInline
internal struct PrefixWhileBehaviorStage<Input, Failure: Error>: ManagedStage {
  @usableFromInline internal typealias Channel = PassingChannel<Failure>

  @usableFromInline internal let predicate: (Input) -> Bool
  @usableFromInline internal let behavior: PrefixWhileBehavior

  @inlinable
  internal init(_ predicate: @escaping (Input) -> Bool, _ behavior: PrefixWhileBehavior) {
    self.predicate = predicate
    self.behavior = behavior
  }

  @inlinable
  internal static var name: String { "PrefixWhile" }

  @inlinable
  internal func receive(_ input: Input) -> Verdict<Input, Failure> {
    if predicate(input) { return .emit(input) }
    return behavior == .inclusive ? .emitAndFinish(input) : .finish
  }
}
