// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import PenstockCore

extension Publisher {
  /// Updates a result with each value, in place, and publishes it every time.
  ///
  /// ![For each letter, the set of all letters so far is published; it is updated in place.](scan-into)
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
  /// The initial result is not published; put `prepend(_:)` after this operator to publish it. Every subscription
  /// starts from it.
  ///
  /// **Demand:** passed to upstream unchanged. `request(.none)` traps.
  ///
  /// **Completion:** forwarded.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** adds no thread; the closure runs on the thread that delivers the value. If the closure itself
  /// causes upstream to send a value, that value updates the result after the closure has returned.
  ///
  /// Use `scan(_:_:)` to make a new result from the previous one, and `reduce(_:_:)` if only the last one matters.
  ///
  /// - Parameters:
  ///   - initialResult: The result to start from.
  ///   - update: A closure that updates the result with a value.
  /// - Returns: A publisher of the results.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func scan<Result>(
    into initialResult: Result, _ update: @escaping (inout Result, Output) -> Void
  ) -> Publishers.Lifted<Result, Failure> {
    lift { ScanIntoStage<Output, Result, Failure>(initialResult, update) }
  }
}

/// The stage of `scan(into:_:)`.
///
/// It is an expanding stage, since a value may arrive while another one is being handled: the closure may send, and so
/// may the `deinit` of what it removes from the result. Such a value waits, and its output follows the other value's.
@usableFromInline
internal final class ScanIntoStage<Input, Output, Failure: Error>: QueuedStage {
  @usableFromInline internal typealias Channel = PassingChannel<Failure>

  @usableFromInline internal let update: (inout Output, Input) -> Void
  /// `nil` while it is being updated: it is moved out, so that the closure has the only reference to what it changes.
  @exclusivity(unchecked) @usableFromInline internal var result: Output?
  /// The values that have arrived meanwhile.
  @exclusivity(unchecked) @usableFromInline internal var waiting: Deque<Input> = []

  @inlinable
  internal init(_ initialResult: Output, _ update: @escaping (inout Output, Input) -> Void) {
    result = initialResult
    self.update = update
  }

  @inlinable
  internal static var name: String { "ScanInto" }

  @inlinable
  internal static var isExpanding: Bool { true }

  @inlinable
  internal func receive(_ input: Input, into outputs: inout Outputs<Output>) -> Verdict<Output, Failure> {
    guard var updated = result.take() else {
      waiting.append(input)
      return .absorb
    }
    update(&updated, input)
    while let next = waiting.popFirst() {
      outputs.append(updated)
      update(&updated, next)
    }
    dispose(of: displace(&result, with: updated))
    return .emit(updated)
  }

  @inlinable
  internal func receive(_ input: Input) -> Verdict<Output, Failure> {
    var outputs = Outputs<Output>()
    return receive(input, into: &outputs)
  }

  @inlinable
  internal func finish(
    _ completion: Subscribers.Completion<Failure>, into outputs: inout Outputs<Output>
  ) -> Subscribers.Completion<Failure> { completion }
}
