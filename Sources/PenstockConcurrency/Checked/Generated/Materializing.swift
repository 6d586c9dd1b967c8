// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Made by Utilities/checked/generate from the operators of this family. Change those, or the script, and run it.

public import PenstockCore
public import PenstockOperators

extension SendablePublisher {
  /// Publishes the values of events, and completes with the first event that is a completion.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/dematerialize()`` does, in a pipeline that is checked for
  /// data races.
  @inlinable
  public func dematerialize<Value: Sendable, NewFailure: Error>() -> SendablePublisher<
    Publishers.Lifted<Value, NewFailure>
  > where Failure == Never, Output == Subscribers.Event<Value, NewFailure> {
    SendablePublisher<Publishers.Lifted<Value, NewFailure>>(unchecked: base.dematerialize())
  }

  /// Publishes the failures of events, without their values.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/failures()`` does, in a pipeline that is checked for data
  /// races.
  @inlinable
  public func failures<Value: Sendable, EventFailure: Error>() -> SendablePublisher<
    Publishers.CompactMap<Base, EventFailure>
  > where Output == Subscribers.Event<Value, EventFailure> {
    SendablePublisher<Publishers.CompactMap<Base, EventFailure>>(unchecked: base.failures())
  }

  /// Publishes each value, and the failure, as a result.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/mapToResult()`` does, in a pipeline that is checked for
  /// data races.
  @inlinable
  public func mapToResult() -> SendablePublisher<Publishers.Lifted<Result<Output, Failure>, Never>> {
    SendablePublisher<Publishers.Lifted<Result<Output, Failure>, Never>>(unchecked: base.mapToResult())
  }

  /// Publishes each value, and the completion, as an event.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/materialize()`` does, in a pipeline that is checked for
  /// data races.
  @inlinable
  public func materialize() -> SendablePublisher<Publishers.Lifted<Subscribers.Event<Output, Failure>, Never>> {
    SendablePublisher<Publishers.Lifted<Subscribers.Event<Output, Failure>, Never>>(unchecked: base.materialize())
  }
}
