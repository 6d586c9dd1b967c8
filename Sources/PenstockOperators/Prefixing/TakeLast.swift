// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import PenstockCore

extension Publisher {
  /// Publishes the last values, up to a number of them, when the upstream publisher finishes.
  ///
  /// ![The last two values are published when upstream finishes.](take-last)
  ///
  /// ```swift
  /// let cancellable = (1...5).publisher.takeLast(2).sink { print($0) }
  /// // Prints "4", "5" on two lines.
  /// ```
  ///
  /// **Demand:** unlimited values are requested from upstream at once; the last `count` of them are kept. They wait
  /// until they are requested. `request(.none)` traps.
  ///
  /// **Completion:** `.finished` follows the values. A publisher that finishes without values finishes at once.
  ///
  /// **Failure:** forwarded at once; the values kept so far are dropped.
  ///
  /// **Concurrency:** adds no thread; the values are delivered on the thread that finishes upstream, or on the one that
  /// requests them.
  ///
  /// **Traps:** a negative count.
  ///
  /// Use `last()` for a single value, `prefix(_:)` for the first values, and `collect()` for all of them.
  ///
  /// - Parameter count: The maximum number of values.
  /// - Returns: A publisher of at most that many values.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func takeLast(_ count: Int) -> Publishers.Lifted<Output, Failure> {
    if count < 0 { trap(.negativeCount(operator: "takeLast(_:)")) }
    return lift { TakeLastStage<Output, Failure>(count) }
  }
}

/// The stage of `takeLast(_:)`.
@usableFromInline
internal final class TakeLastStage<Input, Failure: Error>: QueuedStage {
  @usableFromInline internal typealias Channel = PassingChannel<Failure>

  @usableFromInline internal let count: Int
  @exclusivity(unchecked) @usableFromInline internal var values: Deque<Input> = []

  @inlinable
  internal init(_ count: Int) { self.count = count }

  @inlinable
  internal static var name: String { "TakeLast" }

  @inlinable
  internal var demand: QueuedDemand { .unlimited }

  @inlinable
  internal func receive(_ input: Input) -> Verdict<Input, Failure> {
    values.append(input)
    // Released only after it has been removed: its `deinit` may send.
    if values.count > count { dispose(of: values.popFirst()) }
    return .absorb
  }

  @inlinable
  internal func finish(
    _ completion: Subscribers.Completion<Failure>, into outputs: inout Outputs<Input>
  ) -> Subscribers.Completion<Failure> {
    outputs = Outputs(exchange(&values, with: []))
    return completion
  }
}
