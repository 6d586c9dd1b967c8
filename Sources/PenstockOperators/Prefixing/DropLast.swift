// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
public import PenstockCore

extension Publisher {
  /// Republishes all values but the last ones.
  ///
  /// ![Each value is published when two more have come. The last two are left out.](drop-last)
  ///
  /// A value is published as soon as enough others have followed it that it cannot be one of the last.
  ///
  /// ```swift
  /// let cancellable = (1...5).publisher.dropLast(2).sink { print($0) }
  /// // Prints "1", "2", "3" on three lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged; for each of the first `count` values, one more is requested.
  /// `request(.none)` traps.
  ///
  /// **Completion:** forwarded; the values still kept, at most `count`, are the last ones, and are dropped.
  ///
  /// **Failure:** forwarded; the values still kept are dropped.
  ///
  /// **Concurrency:** adds no thread and no lock; values are delivered on the thread on which upstream delivers.
  ///
  /// **Traps:** a negative count.
  ///
  /// Use ``takeLast(_:)`` for the opposite, and `dropFirst(_:)` to leave out the first values.
  ///
  /// - Parameter count: The number of values to leave out at the end.
  /// - Returns: A publisher of all values but the last `count`.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func dropLast(_ count: Int = 1) -> Publishers.Lifted<Output, Failure> {
    if count < 0 { trap(.negativeCount(operator: "dropLast(_:)")) }
    return lift { DropLastStage<Output, Failure>(count) }
  }
}

/// The stage of `dropLast(_:)`.
@usableFromInline
internal final class DropLastStage<Input, Failure: Error>: ManagedStage {
  @usableFromInline internal typealias Channel = PassingChannel<Failure>

  @usableFromInline internal let count: Int
  @exclusivity(unchecked) @usableFromInline internal var values: Deque<Input> = []

  @inlinable
  internal init(_ count: Int) { self.count = count }

  @inlinable
  internal static var name: String { "DropLast" }

  @inlinable
  internal func receive(_ input: Input) -> Verdict<Input, Failure> { keep(input).map { .emit($0) } ?? .skip }

  /// Keeps a value, and takes the oldest one out if there are too many.
  ///
  /// Not inlined: a queue in each operator of a chain makes the chain slow to compile.
  @inlinable @inline(never)
  internal func keep(_ input: Input) -> Input? {
    values.append(input)
    return values.count > count ? values.popFirst() : nil
  }

  @inlinable
  internal func receive(completion: Subscribers.Completion<Failure>) -> Subscribers.Completion<Failure> {
    dispose(of: exchange(&values, with: []))
    return completion
  }
}
