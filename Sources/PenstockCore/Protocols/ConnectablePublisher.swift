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

  /// Starts the stream, and returns its state at that moment; for `autoconnect()`.
  ///
  /// - Parameter announce: Called before the stream starts, with a cancellable that cancels it, if one exists by then.
  func _connect(_ announce: (any Cancellable) -> Void) -> (connection: any Cancellable, phase: _ConnectionPhase)
}
