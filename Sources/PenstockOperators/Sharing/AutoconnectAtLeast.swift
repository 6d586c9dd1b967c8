// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension ConnectablePublisher {
  /// Connects to this publisher when there are a number of subscribers, and disconnects when the last one cancels.
  ///
  /// ![The second subscriber connects, so both get the first value.](autoconnect-at-least)
  ///
  /// So none of these subscribers misses the first values, in whatever order they arrive. Once connected, it stays
  /// connected while at least one subscriber is left; after a disconnection, the same number is needed again. A
  /// subscriber that has cancelled before there are enough, perhaps while it received its subscription, does not count.
  ///
  /// ```swift
  /// let source = [1, 2].publisher.makeConnectable().autoconnect(atLeast: 2)
  /// let first = source.sink { print("first", $0) }
  /// let second = source.sink { print("second", $0) }
  /// // Prints "first 1", "second 1", "first 2", "second 2" on four lines.
  /// ```
  ///
  /// **Demand:** passed to upstream unchanged.
  ///
  /// **Completion:** forwarded. A completion does not disconnect: only a cancel of all subscribers does.
  ///
  /// **Failure:** forwarded.
  ///
  /// **Concurrency:** as for `autoconnect()`: any thread may subscribe and cancel, no lock is held while connecting or
  /// disconnecting, and there is only one connection at a time, even if several threads subscribe at the same moment.
  ///
  /// If fewer subscribers arrive, nothing is ever sent. Use `autoconnect()` to connect with the first, and `connect()`
  /// to choose the moment yourself.
  ///
  /// - Parameter count: The number of subscribers that are needed to connect. A number below 1 traps.
  /// - Returns: A publisher that connects automatically.
  @_disfavoredOverload
  @_alwaysEmitIntoClient
  public func autoconnect(atLeast count: Int) -> Publishers.Autoconnect<Self> {
    if count < 1 { trap(.countBelowOne(operator: "autoconnect(atLeast:)")) }
    return Publishers.Autoconnect(upstream: self, atLeast: count)
  }
}
