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
    some Publisher<Value, NewFailure>
  > where Failure == Never, Output == Subscribers.Event<Value, NewFailure> {
    SendablePublisher<_>(unchecked: base.dematerialize())
  }

  /// Publishes each value, and the completion, as an event.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/materialize()`` does, in a pipeline that is checked for
  /// data races.
  @inlinable
  public func materialize() -> SendablePublisher<some Publisher<Subscribers.Event<Output, Failure>, Never>> {
    SendablePublisher<_>(unchecked: base.materialize())
  }
}
