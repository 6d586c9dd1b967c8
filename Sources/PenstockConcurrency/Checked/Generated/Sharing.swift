// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Made by Utilities/checked/generate from the operators of this family. Change those, or the script, and run it.

public import PenstockCore
public import PenstockOperators

extension SendablePublisher {
  /// Turns this publisher into one that starts only when it is connected.
  ///
  /// Does what ``/PenstockCore/Publisher/makeConnectable()`` does, in a pipeline that is checked for data races.
  @inlinable
  public func makeConnectable() -> SendablePublisher<Publishers.MakeConnectable<Base>> where Failure == Never {
    SendablePublisher<Publishers.MakeConnectable<Base>>(unchecked: base.makeConnectable())
  }

  /// Shares one subscription to this publisher among several subscribers, through a subject that a closure creates.
  ///
  /// Does what ``/PenstockCore/Publisher/multicast(_:)`` does, in a pipeline that is checked for data races.
  ///
  /// `createSubject` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func multicast<S: Subject & Sendable>(_ createSubject: @escaping @Sendable () -> S) -> SendablePublisher<
    Publishers.Multicast<Base, S>
  > where Failure == S.Failure, Output == S.Output {
    SendablePublisher<Publishers.Multicast<Base, S>>(unchecked: base.multicast(createSubject))
  }

  /// Shares one subscription to this publisher among several subscribers, through a given subject.
  ///
  /// Does what ``/PenstockCore/Publisher/multicast(subject:)`` does, in a pipeline that is checked for data races.
  @inlinable
  public func multicast<S: Subject & Sendable>(subject: S) -> SendablePublisher<Publishers.Multicast<Base, S>>
  where Failure == S.Failure, Output == S.Output {
    SendablePublisher<Publishers.Multicast<Base, S>>(unchecked: base.multicast(subject: subject))
  }

  /// Shares one subscription to this publisher among several subscribers.
  ///
  /// Does what ``/PenstockCore/Publisher/share()`` does, in a pipeline that is checked for data races.
  @inlinable
  public func share() -> SendablePublisher<Publishers.Share<Base>> {
    SendablePublisher<Publishers.Share<Base>>(unchecked: base.share())
  }

  /// Shares one subscription to this publisher among several subscribers, and keeps values for those that are slow.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/share(buffering:)`` does, in a pipeline that is checked
  /// for data races.
  @inlinable
  public func share(buffering: ShareBufferingPolicy) -> SendablePublisher<Publishers.ShareBuffered<Base>> {
    SendablePublisher<Publishers.ShareBuffered<Base>>(unchecked: base.share(buffering: buffering))
  }

  /// Shares one subscription to this publisher among several subscribers, and keeps it for a time without
  /// subscribers.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/share(keepingFor:scheduler:)`` does, in a pipeline that is
  /// checked for data races.
  @inlinable
  public func share<S: Scheduler & Sendable>(keepingFor duration: S.SchedulerTimeType.Stride, scheduler: S)
    -> SendablePublisher<Publishers.ShareBuffered<Base>> where S.SchedulerTimeType.Stride: Sendable
  {
    SendablePublisher<Publishers.ShareBuffered<Base>>(unchecked: base.share(keepingFor: duration, scheduler: scheduler))
  }

  /// Shares one subscription to this publisher, keeps it for a time without subscribers, and replays the latest
  /// values to new ones.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/share(replay:keepingFor:scheduler:)`` does, in a pipeline
  /// that is checked for data races.
  @inlinable
  public func share<S: Scheduler & Sendable>(
    replay capacity: Int, keepingFor duration: S.SchedulerTimeType.Stride, scheduler: S
  ) -> SendablePublisher<Publishers.ShareReplay<Base>> where S.SchedulerTimeType.Stride: Sendable {
    SendablePublisher<Publishers.ShareReplay<Base>>(
      unchecked: base.share(replay: capacity, keepingFor: duration, scheduler: scheduler))
  }

  /// Shares one subscription to this publisher among several subscribers, and replays the latest values to new ones.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/shareReplay(capacity:)`` does, in a pipeline that is
  /// checked for data races.
  @inlinable
  public func shareReplay(capacity: Int = .max) -> SendablePublisher<Publishers.ShareReplay<Base>> {
    SendablePublisher<Publishers.ShareReplay<Base>>(unchecked: base.shareReplay(capacity: capacity))
  }

  /// Shares one subscription to this publisher while there are subscribers, and replays the latest values to new
  /// ones.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/share(replay:)`` does, in a pipeline that is checked for
  /// data races.
  @inlinable
  public func share(replay capacity: Int) -> SendablePublisher<Publishers.ShareReplay<Base>> {
    SendablePublisher<Publishers.ShareReplay<Base>>(unchecked: base.share(replay: capacity))
  }
}
