// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Collection where Element: Publisher {
  /// Gathers the values of these publishers in arrays: the first value of each, then the second of each.
  ///
  /// ![The first values of all are published as an array, then the second ones.](zip-collection)
  ///
  /// ```swift
  /// let columns = [["a", "b"].publisher, ["1", "2"].publisher]
  /// let cancellable = columns.zip().sink { print($0.joined()) }
  /// // Prints "a1", "b2" on two lines.
  /// ```
  ///
  /// **Demand:** passed to all publishers unchanged, as by `zip`. A value waits until there is one of each other
  /// publisher. `request(.none)` traps.
  ///
  /// **Completion:** when a publisher has finished whose values have all been used; at once if there are no publishers.
  ///
  /// **Failure:** the first failure ends the stream, and cancels the other publishers.
  ///
  /// **Concurrency:** the publishers may deliver on different threads; deliveries to downstream never overlap.
  ///
  /// Use ``combineLatest()`` when each value of one of them counts.
  ///
  /// - Returns: A publisher of arrays with one value of each publisher, in the order of the publishers.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func zip() -> Publishers.Lifted<[Element.Output], Element.Failure> {
    Publishers.Lifted(ZipMany(Array(self)))
  }
}
