// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension SendablePublisher {
  /// Creates a publisher that makes another one for each subscriber, as ``/PenstockCore/Deferred`` does.
  ///
  /// ```swift
  /// let time = SendablePublisher(deferred: { Just(ContinuousClock.now).sendable })
  /// let cancellable = time.sink { print($0 < .now) }
  /// // Prints "true".
  /// ```
  ///
  /// **Demand:**, **Completion:**, **Failure:** and **Concurrency:** as for ``/PenstockCore/Deferred``. The closure runs
  /// on any thread, for several subscribers at a time.
  ///
  /// - Parameter createPublisher: A `@Sendable` closure that makes the publisher for one subscriber.
  @inlinable
  public init<Created: Publisher>(deferred createPublisher: @escaping @Sendable () -> SendablePublisher<Created>)
  where Base == Deferred<Created> {
    self.init(unchecked: Deferred { createPublisher().base })
  }
}
