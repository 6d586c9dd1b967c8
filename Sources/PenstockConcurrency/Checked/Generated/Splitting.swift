// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Made by Utilities/checked/generate from the operators of this family. Change those, or the script, and run it.

public import PenstockCore
public import PenstockOperators

extension SendablePublisher {
  /// Collects neighbouring values into arrays, as long as two neighbours belong together.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/chunked(by:)`` does, in a pipeline that is checked for
  /// data races.
  ///
  /// `belongInSameChunk` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func chunked(by belongInSameChunk: @escaping @Sendable (Output, Output) -> Bool) -> SendablePublisher<
    Publishers.Lifted<[Output], Failure>
  > {
    SendablePublisher<Publishers.Lifted<[Output], Failure>>(unchecked: base.chunked(by: belongInSameChunk))
  }

  /// Collects neighbouring values that have the same key into arrays, and publishes each array together with the key.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/chunked(on:)`` does, in a pipeline that is checked for
  /// data races.
  ///
  /// `projection` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func chunked<Key: Equatable & Sendable>(on projection: @escaping @Sendable (Output) -> Key)
    -> SendablePublisher<Publishers.Lifted<(Key, [Output]), Failure>>
  {
    SendablePublisher<Publishers.Lifted<(Key, [Output]), Failure>>(unchecked: base.chunked(on: projection))
  }

  /// Collects values into arrays, each of which ends when another publisher delivers a value.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/collect(until:)`` does, in a pipeline that is checked for
  /// data races.
  @inlinable
  public func collect<Trigger: Publisher>(until trigger: SendablePublisher<Trigger>) -> SendablePublisher<
    Publishers.Lifted<[Output], Failure>
  > where Failure == Trigger.Failure {
    SendablePublisher<Publishers.Lifted<[Output], Failure>>(unchecked: base.collect(until: trigger.base))
  }

  /// Collects values into arrays, each of which ends with the first value that does not satisfy a predicate.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/collect(while:)`` does, in a pipeline that is checked for
  /// data races.
  ///
  /// `predicate` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func collect(while predicate: @escaping @Sendable (Output) -> Bool) -> SendablePublisher<
    Publishers.Lifted<[Output], Failure>
  > {
    SendablePublisher<Publishers.Lifted<[Output], Failure>>(unchecked: base.collect(while: predicate))
  }
}
