// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// A publisher that delivers the values it is given, and never completes.
///
/// A relay is a subject without `send(completion:)`: what is subscribed to it can rely on it for as long as it lives,
/// whatever feeds it.
///
/// **Demand:** counted for each subscriber; the relay decides what becomes of a value that has not been requested.
///
/// **Completion:** never.
///
/// **Failure:** none; a relay cannot fail.
///
/// **Concurrency:** any thread may call `accept(_:)`.
public protocol Relay<Output>: AnyObject, Publisher where Failure == Never {
  /// Delivers a value to the subscribers.
  ///
  /// - Parameter value: The value to deliver.
  func accept(_ value: Output)
}

extension Relay where Output == Void {
  /// Delivers a value to the subscribers.
  @inlinable
  public func accept() { accept(()) }
}

extension Publisher where Failure == Never {
  /// Feeds the values of this publisher into a relay, and leaves the relay open at the end.
  ///
  /// ```swift
  /// let relay = PassthroughRelay<Int>()
  /// let cancellable = relay.sink { print($0) }
  /// let first = [1, 2].publisher.subscribe(relay)
  /// let second = Just(3).subscribe(relay)
  /// // Prints "1", "2", "3" on three lines.
  /// ```
  ///
  /// **Demand:** unlimited, at once.
  ///
  /// **Completion:** ends the subscription, not the relay.
  ///
  /// **Failure:** none; write `catch` or `replaceError(with:)` above, where the publisher can fail.
  ///
  /// **Concurrency:** the relay accepts on the thread on which this publisher delivers. Until the end or a cancel, the
  /// subscription keeps the relay alive.
  ///
  /// Use `subscribe(_:)` with a subject to pass the completion on, too.
  ///
  /// - Parameter relay: The relay to feed.
  /// - Returns: A cancellable; the subscription ends when it is cancelled or deallocated.
  @_disfavoredOverload
  @inlinable
  public func subscribe<R: Relay>(_ relay: R) -> AnyCancellable where R.Output == Output {
    sink { relay.accept($0) }
  }
}
