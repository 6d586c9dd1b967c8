// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension SendablePublisher where Base: ConnectablePublisher {
  /// Connects to upstream, so that the subscribers receive values; as `ConnectablePublisher.connect()`.
  ///
  /// - Returns: What cancels the connection.
  @inlinable
  public func connect() -> any Cancellable {
    base.connect()
  }

  /// Connects with the first subscriber, and cancels with the last one; as `ConnectablePublisher.autoconnect()`.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as there.
  ///
  /// - Returns: A publisher that connects by itself.
  @inlinable
  public func autoconnect() -> SendablePublisher<Publishers.Autoconnect<Base>> {
    SendablePublisher<Publishers.Autoconnect<Base>>(unchecked: base.autoconnect())
  }
}
