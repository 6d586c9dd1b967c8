// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Subscribers {
  /// A value or the completion of a stream; see ``Publisher/materialize()``.
  @frozen
  public enum Event<Value, Failure: Error> {
    /// A value.
    case value(Value)

    /// The end of the stream.
    case completion(Completion<Failure>)
  }
}

extension Subscribers.Event: Equatable where Value: Equatable, Failure: Equatable {}

extension Subscribers.Event: Hashable where Value: Hashable, Failure: Hashable {}

extension Subscribers.Event: Sendable where Value: Sendable {}
