// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Made by Utilities/checked/generate from the operators of this family. Change those, or the script, and run it.

public import PenstockCore

extension SendablePublisher {
  /// Publishes whether every value satisfies a predicate.
  ///
  /// Does what ``/PenstockCore/Publisher/allSatisfy(_:)`` does, in a pipeline that is checked for data races.
  ///
  /// `predicate` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func allSatisfy(_ predicate: @escaping @Sendable (Output) -> Bool) -> SendablePublisher<
    Publishers.AllSatisfy<Base>
  > {
    SendablePublisher<Publishers.AllSatisfy<Base>>(unchecked: base.allSatisfy(predicate))
  }

  /// Publishes whether any value equals a given one.
  ///
  /// Does what ``/PenstockCore/Publisher/contains(_:)`` does, in a pipeline that is checked for data races.
  @inlinable
  public func contains(_ output: Output) -> SendablePublisher<Publishers.Contains<Base>> where Output: Equatable {
    SendablePublisher<Publishers.Contains<Base>>(unchecked: base.contains(output))
  }

  /// Publishes whether any value satisfies a predicate.
  ///
  /// Does what ``/PenstockCore/Publisher/contains(where:)`` does, in a pipeline that is checked for data races.
  ///
  /// `predicate` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func contains(where predicate: @escaping @Sendable (Output) -> Bool) -> SendablePublisher<
    Publishers.ContainsWhere<Base>
  > {
    SendablePublisher<Publishers.ContainsWhere<Base>>(unchecked: base.contains(where: predicate))
  }

  /// Publishes whether every value satisfies a throwing predicate.
  ///
  /// Does what ``/PenstockCore/Publisher/tryAllSatisfy(_:)`` does, in a pipeline that is checked for data races.
  ///
  /// `predicate` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func tryAllSatisfy(_ predicate: @escaping @Sendable (Output) throws -> Bool) -> SendablePublisher<
    Publishers.TryAllSatisfy<Base>
  > {
    SendablePublisher<Publishers.TryAllSatisfy<Base>>(unchecked: base.tryAllSatisfy(predicate))
  }

  /// Publishes whether any value satisfies a throwing predicate.
  ///
  /// Does what ``/PenstockCore/Publisher/tryContains(where:)`` does, in a pipeline that is checked for data races.
  ///
  /// `predicate` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func tryContains(where predicate: @escaping @Sendable (Output) throws -> Bool) -> SendablePublisher<
    Publishers.TryContainsWhere<Base>
  > {
    SendablePublisher<Publishers.TryContainsWhere<Base>>(unchecked: base.tryContains(where: predicate))
  }
}
