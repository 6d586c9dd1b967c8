// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore
public import PenstockOperators

extension SendablePublisher where Base: ConnectablePublisher {
  /// Connects to upstream, so that the subscribers receive values, as `ConnectablePublisher.connect()` does.
  ///
  /// - Returns: A cancellable that cancels the connection.
  @inlinable
  public func connect() -> any Cancellable {
    base.connect()
  }

  /// Connects with the first subscriber, and cancels with the last one, as `ConnectablePublisher.autoconnect()` does.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as there.
  ///
  /// - Returns: A publisher that connects automatically.
  @inlinable
  public func autoconnect() -> SendablePublisher<Publishers.Autoconnect<Base>> {
    SendablePublisher<Publishers.Autoconnect<Base>>(unchecked: base.autoconnect())
  }

  /// Connects when there are a number of subscribers, and cancels with the last one, as
  /// `ConnectablePublisher.autoconnect(atLeast:)` does.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as there.
  ///
  /// - Parameter count: The number of subscribers that are needed to connect. A number below 1 traps.
  /// - Returns: A publisher that connects automatically.
  @inlinable
  public func autoconnect(atLeast count: Int) -> SendablePublisher<Publishers.Autoconnect<Base>> {
    SendablePublisher<Publishers.Autoconnect<Base>>(unchecked: base.autoconnect(atLeast: count))
  }
}
