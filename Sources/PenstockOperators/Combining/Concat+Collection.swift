// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Collection where Element: Publisher {
  /// Republishes the values of these publishers one after the other.
  ///
  /// ![The publishers are subscribed to one after the other.](concat-collection)
  ///
  /// ```swift
  /// let parts = [[1, 2].publisher, [3].publisher]
  /// let cancellable = parts.concat().sink { print($0) }
  /// // Prints "1", "2", "3" on three lines.
  /// ```
  ///
  /// **Demand:** a publisher is subscribed to when the one before it has finished and all its values have been delivered;
  /// one value is requested from it in advance. `request(.none)` traps.
  ///
  /// **Completion:** when the last publisher has finished; at once if there are none.
  ///
  /// **Failure:** forwarded; the publishers that follow are not subscribed to.
  ///
  /// **Concurrency:** adds no thread.
  ///
  /// Use `append(_:)` for two publishers of different types, and ``merge()`` for all publishers at once.
  ///
  /// - Returns: A publisher of the values of all publishers, in their order.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func concat() -> Publishers.Lifted<Element.Output, Element.Failure> {
    Array(self).publisher.setFailureType(to: Element.Failure.self).concatMap { $0 }
  }
}
