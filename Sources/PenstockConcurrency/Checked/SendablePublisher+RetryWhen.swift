// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore
public import PenstockOperators

extension SendablePublisher {
  /// Subscribes to upstream again after a failure, when a trigger that cannot fail delivers a value.
  ///
  /// It works as `Publisher.retryWhen(_:)`, in a pipeline that is checked for data races. The failures are a checked
  /// pipeline as well. The closure is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func retryWhen<Trigger: Publisher>(
    _ makeTrigger: @escaping @Sendable (AnySendablePublisher<Failure, Never>) -> SendablePublisher<Trigger>
  ) -> SendablePublisher<Publishers.Lifted<Output, Failure>> where Trigger.Failure == Never {
    SendablePublisher<_>(unchecked: base.retryWhen { makeTrigger(AnySendablePublisher(unchecked: $0)).base })
  }

  /// Subscribes to upstream again after a failure, when a trigger that can fail delivers a value.
  ///
  /// It works as `Publisher.retryWhen(_:)`, in a pipeline that is checked for data races. The failures are a checked
  /// pipeline as well. The closure is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func retryWhen<Trigger: Publisher>(
    _ makeTrigger: @escaping @Sendable (AnySendablePublisher<Failure, Never>) -> SendablePublisher<Trigger>
  ) -> SendablePublisher<Publishers.Lifted<Output, Failure>> where Trigger.Failure == Failure {
    SendablePublisher<_>(unchecked: base.retryWhen { makeTrigger(AnySendablePublisher(unchecked: $0)).base })
  }
}
