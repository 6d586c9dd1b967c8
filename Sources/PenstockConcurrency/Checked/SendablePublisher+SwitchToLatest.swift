// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension SendablePublisher {
  /// Republishes the values of the latest inner publisher, as `Publisher.switchToLatest()` does.
  ///
  /// The values have to be checked pipelines themselves:
  ///
  /// ```swift
  /// let pages = [1, 2].publisher.sendable
  /// let cancellable = pages.map { page in Just("page \(page)").sendable }.switchToLatest().sink { print($0) }
  /// // Prints "page 1", "page 2" on two lines.
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as there.
  ///
  /// - Returns: A publisher of the values of the latest inner publisher.
  @inlinable
  public func switchToLatest<Inner: Publisher>() -> SendablePublisher<
    Publishers.SwitchToLatest<Inner, Publishers.Map<Base, Inner>>
  >
  where Output == SendablePublisher<Inner>, Inner.Failure == Failure {
    SendablePublisher<_>(unchecked: base.map { $0.base }.switchToLatest())
  }

  /// Republishes the values of the latest inner publisher, when the inner publishers cannot fail.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for `Publisher.switchToLatest()`.
  ///
  /// - Returns: A publisher of the values of the latest inner publisher.
  @inlinable
  public func switchToLatest<Inner: Publisher>() -> SendablePublisher<
    Publishers.SwitchToLatest<
      Publishers.SetFailureType<Inner, Failure>,
      Publishers.Map<Publishers.Map<Base, Inner>, Publishers.SetFailureType<Inner, Failure>>
    >
  >
  where Output == SendablePublisher<Inner>, Inner.Failure == Never {
    SendablePublisher<_>(unchecked: base.map { $0.base }.switchToLatest())
  }
}

extension SendablePublisher where Base.Failure == Never {
  /// Republishes the values of the latest inner publisher, when only the inner publishers can fail.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for `Publisher.switchToLatest()`.
  ///
  /// - Returns: A publisher of the values of the latest inner publisher.
  @inlinable
  public func switchToLatest<Inner: Publisher>() -> SendablePublisher<
    Publishers.SwitchToLatest<Inner, Publishers.SetFailureType<Publishers.Map<Base, Inner>, Inner.Failure>>
  >
  where Output == SendablePublisher<Inner> {
    SendablePublisher<_>(unchecked: base.map { $0.base }.switchToLatest())
  }

  /// Republishes the values of the latest inner publisher, when nothing can fail.
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for `Publisher.switchToLatest()`.
  ///
  /// - Returns: A publisher of the values of the latest inner publisher.
  @inlinable
  public func switchToLatest<Inner: Publisher>() -> SendablePublisher<
    Publishers.SwitchToLatest<Inner, Publishers.Map<Base, Inner>>
  >
  where Output == SendablePublisher<Inner>, Inner.Failure == Never {
    SendablePublisher<_>(unchecked: base.map { $0.base }.switchToLatest())
  }
}
