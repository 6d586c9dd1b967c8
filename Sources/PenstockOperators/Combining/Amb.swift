// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Publisher {
  /// Republishes whichever of this publisher and another one delivers first.
  ///
  /// ![The other one delivers first, so its values are published, and upstream is cancelled.](amb)
  ///
  /// The other publisher is cancelled before that signal is delivered. A completion counts, too.
  ///
  /// ```swift
  /// let (near, far) = (PassthroughSubject<String, Never>(), PassthroughSubject<String, Never>())
  /// let cancellable = near.amb(far).sink { print($0) }
  /// far.send("from afar")
  /// near.send("from here")
  /// far.send("once more")
  /// // Prints "from afar", "once more" on two lines.
  /// ```
  ///
  /// This publisher is subscribed to first; the other one isn't subscribed to if this one delivers at once.
  ///
  /// **Demand:** passed to both until one of them has delivered, and to that one afterwards. `request(.none)` traps.
  ///
  /// **Completion:** that of the publisher that was first.
  ///
  /// **Failure:** that of the publisher that was first: a publisher that fails before the other one delivers ends the
  /// stream.
  ///
  /// **Concurrency:** both may deliver on any thread; downstream receives one signal at a time.
  ///
  /// Use `merge(with:)` for the values of both, and ``Swift/Collection/amb()`` for more than two.
  ///
  /// - Parameter other: The other publisher.
  /// - Returns: A publisher of the values of one of them.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public consuming func amb<Other: Publisher>(_ other: Other) -> Publishers.Lifted<Output, Failure>
  where Other.Output == Output, Other.Failure == Failure {
    Publishers.Lifted(Amb(self, other))
  }
}

extension Collection where Element: Publisher {
  /// Republishes the one of these publishers that delivers first.
  ///
  /// ![The second of three delivers first: its values are published, the others cancelled.](amb-collection)
  ///
  /// ```swift
  /// let mirrors = [PassthroughSubject<String, Never>(), PassthroughSubject<String, Never>()]
  /// let cancellable = mirrors.amb().sink { print($0) }
  /// mirrors[1].send("from the second")
  /// mirrors[0].send("from the first")
  /// // Prints "from the second".
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``PenstockCore/Publisher/amb(_:)``. No
  /// publishers finish at once.
  ///
  /// - Returns: A publisher of the values of one of them.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func amb() -> Publishers.Lifted<Element.Output, Element.Failure> {
    Publishers.Lifted(AmbMany(Array(self)))
  }
}
