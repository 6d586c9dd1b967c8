// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore
public import PenstockOperators

extension SendablePublisher {
  /// Divides the values into windows of a number of values, each of which is a publisher.
  ///
  /// It works as ``/PenstockOperators/PenstockCore/Publisher/window(count:)``, in a pipeline that is checked for data
  /// races.
  @inlinable
  public func window(
    count: Int
  ) -> SendablePublisher<
    Publishers.Map<Publishers.Lifted<AnyPublisher<Output, Failure>, Failure>, AnySendablePublisher<Output, Failure>>
  > {
    SendablePublisher<_>(unchecked: base.window(count: count).map { SendablePublisher<AnyPublisher>(unchecked: $0) })
  }

  /// Divides the values into windows, each of which is a publisher that ends when another publisher delivers a value.
  ///
  /// It works as ``/PenstockOperators/PenstockCore/Publisher/window(until:)``, in a pipeline that is checked for data
  /// races.
  @inlinable
  public func window<Boundary: Publisher>(
    until boundary: SendablePublisher<Boundary>
  ) -> SendablePublisher<
    Publishers.Map<Publishers.Lifted<AnyPublisher<Output, Failure>, Failure>, AnySendablePublisher<Output, Failure>>
  >
  where Boundary.Failure == Failure {
    SendablePublisher<_>(
      unchecked: base.window(until: boundary.base).map { SendablePublisher<AnyPublisher>(unchecked: $0) })
  }

  /// Divides the values into windows of a length of time, each of which is a publisher.
  ///
  /// It works as ``/PenstockOperators/PenstockCore/Publisher/window(for:scheduler:options:)``, in a pipeline that is
  /// checked for data races.
  @inlinable
  public func window<S: Scheduler & Sendable>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
  ) -> SendablePublisher<
    Publishers.Map<Publishers.Lifted<AnyPublisher<Output, Failure>, Failure>, AnySendablePublisher<Output, Failure>>
  > {
    SendablePublisher<_>(
      unchecked: base.window(for: interval, scheduler: scheduler, options: options)
        .map { SendablePublisher<AnyPublisher>(unchecked: $0) })
  }

  /// Divides the values into groups with the same key, and publishes each key together with the values of its group.
  ///
  /// It works as ``/PenstockOperators/PenstockCore/Publisher/grouped(by:maxGroups:buffer:whenFull:)``, in a pipeline
  /// that is checked for data races. `key` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func grouped<Key: Hashable & Sendable>(
    by key: @escaping @Sendable (Output) -> Key, maxGroups: Int = 1_024, buffer: Int = 16,
    whenFull: Publishers.GroupBufferingStrategy = .hold
  ) -> SendablePublisher<
    Publishers.Map<
      Publishers.Lifted<GroupedPublisher<Key, Output, any Error>, any Error>,
      (key: Key, values: AnySendablePublisher<Output, any Error>)
    >
  > {
    SendablePublisher<_>(
      unchecked: base.grouped(by: key, maxGroups: maxGroups, buffer: buffer, whenFull: whenFull)
        .map { (key: $0.key, values: SendablePublisher<AnyPublisher>(unchecked: $0.eraseToAnyPublisher())) })
  }

  /// Divides the values into groups with the same key, which end when they have had no value for some time.
  ///
  /// It works as
  /// ``/PenstockOperators/PenstockCore/Publisher/grouped(by:maxGroups:buffer:whenFull:idleAfter:scheduler:options:)``,
  /// in a pipeline that is checked for data races. `key` is `@Sendable`: it may run on any thread, for several
  /// subscribers at once.
  @inlinable
  public func grouped<Key: Hashable & Sendable, S: Scheduler & Sendable>(
    by key: @escaping @Sendable (Output) -> Key, maxGroups: Int = 1_024, buffer: Int = 16,
    whenFull: Publishers.GroupBufferingStrategy = .hold, idleAfter interval: S.SchedulerTimeType.Stride, scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> SendablePublisher<
    Publishers.Map<
      Publishers.Lifted<GroupedPublisher<Key, Output, any Error>, any Error>,
      (key: Key, values: AnySendablePublisher<Output, any Error>)
    >
  > {
    SendablePublisher<_>(
      unchecked: base.grouped(
        by: key, maxGroups: maxGroups, buffer: buffer, whenFull: whenFull, idleAfter: interval, scheduler: scheduler,
        options: options
      )
      .map { (key: $0.key, values: SendablePublisher<AnyPublisher>(unchecked: $0.eraseToAnyPublisher())) })
  }
}
