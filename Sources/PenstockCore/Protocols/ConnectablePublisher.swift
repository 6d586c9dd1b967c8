// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A publisher that starts only when told to, so that every subscriber can attach before the first value.
///
/// Subscribing alone produces nothing: ``connect()`` starts the stream for all subscribers at once, and what it returns
/// stops it. `autoconnect()` connects when the first subscriber arrives.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Starts the stream.
  ///
  /// - Returns: The means to stop it. Keep it: for most connectable publishers dropping it stops the stream too.
  func connect() -> any Cancellable
}
