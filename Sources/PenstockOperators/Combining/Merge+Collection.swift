// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Collection where Element: Publisher {
  /// Republishes the values of these publishers as they arrive.
  ///
  /// ![The values of all publishers are published as they come, until all have finished.](merge-collection)
  ///
  /// ```swift
  /// let doors = [PassthroughSubject<String, Never>(), PassthroughSubject<String, Never>()]
  /// let cancellable = doors.merge().sink { print($0) }
  /// doors[1].send("b")
  /// doors[0].send("a")
  /// // Prints "b", "a" on two lines.
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``/PenstockCore/Publishers/MergeMany``, which
  /// it makes.
  ///
  /// Use ``concat()`` for one publisher after the other, and ``amb()`` for the fastest alone.
  ///
  /// - Returns: A publisher of the values of all publishers.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func merge() -> Publishers.MergeMany<Element> { Publishers.MergeMany(self) }
}
