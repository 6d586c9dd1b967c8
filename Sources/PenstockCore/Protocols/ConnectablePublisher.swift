// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A publisher that starts only when it is connected, so that every subscriber can attach before the first value.
///
/// A subscription alone delivers nothing: ``connect()`` starts the stream for all subscribers at once, and its result
/// stops it. `autoconnect()` connects when the first subscriber arrives.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Starts the stream.
  ///
  /// - Returns: A cancellable that stops the stream. Keep it: with most connectable publishers the stream also stops
  ///   when it is deallocated.
  func connect() -> any Cancellable

  /// Starts the stream, and tells whether it is over already, as far as the publisher knows.
  ///
  /// For `autoconnect()`: a connection that is over is kept, though all subscribers may have cancelled while it was made.
  func _connect() -> (connection: any Cancellable, isOver: Bool)
}

extension ConnectablePublisher {
  @inlinable
  public func _connect() -> (connection: any Cancellable, isOver: Bool) { (connect(), false) }
}
