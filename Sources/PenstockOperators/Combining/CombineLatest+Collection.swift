// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Collection where Element: Publisher {
  /// Combines the latest values of these publishers in an array whenever one of them delivers.
  ///
  /// ![Once all have delivered, the latest values of all are published as an array, for each value of
  /// any.](combine-latest-collection)
  ///
  /// Nothing is published until each of them has delivered a value. The values are in the order of the publishers.
  ///
  /// ```swift
  /// let rooms = [CurrentValueSubject<Int, Never>(20), CurrentValueSubject<Int, Never>(18)]
  /// let cancellable = rooms.combineLatest().sink { print($0) }
  /// rooms[1].value = 19
  /// // Prints "[20, 18]", "[20, 19]" on two lines.
  /// ```
  ///
  /// **Demand:** passed to all publishers unchanged, and counted, as by `combineLatest`. `request(.none)` traps.
  ///
  /// **Completion:** when all publishers have finished; at once if there are none.
  ///
  /// **Failure:** the first failure ends the stream, and cancels the other publishers.
  ///
  /// **Concurrency:** the publishers may deliver on different threads; deliveries to downstream never overlap.
  ///
  /// A value costs the same however many publishers there are, unless downstream keeps the arrays: then each is a copy.
  ///
  /// Use ``zip()`` to gather first with first and second with second.
  ///
  /// - Returns: A publisher of arrays with one value of each publisher.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func combineLatest() -> Publishers.Lifted<[Element.Output], Element.Failure> {
    Publishers.Lifted(CombineLatestMany(Array(self)))
  }
}
