// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Made by Utilities/checked/generate from the operators of this family. Change those, or the script, and run it.

public import PenstockCore
public import PenstockOperators

extension SendablePublisher {
  /// Sends the values and the completion of this publisher into a subject.
  ///
  /// Does what ``/PenstockCore/Publisher/subscribe(_:)-5wpas`` does, in a pipeline that is checked for data races.
  @inlinable
  public func subscribe<S: Subject & Sendable>(_ subject: S) -> AnyCancellable
  where Failure == S.Failure, Output == S.Output {
    base.subscribe(subject)
  }

  /// Attaches a subscriber with closures for the values and the completion.
  ///
  /// Does what ``/PenstockCore/Publisher/sink(receiveCompletion:receiveValue:)`` does, in a pipeline that is checked
  /// for data races.
  ///
  /// `receiveCompletion` and `receiveValue` are `@Sendable`: they may run on any thread.
  @inlinable
  public func sink(
    receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @Sendable (Output) -> Void
  ) -> AnyCancellable {
    base.sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
  }

  /// Attaches a subscriber with a closure for the values of a publisher that cannot fail.
  ///
  /// Does what ``/PenstockCore/Publisher/sink(receiveValue:)`` does, in a pipeline that is checked for data races.
  ///
  /// `receiveValue` is `@Sendable`: it may run on any thread.
  @inlinable
  public func sink(receiveValue: @escaping @Sendable (Output) -> Void) -> AnyCancellable where Failure == Never {
    base.sink(receiveValue: receiveValue)
  }

  /// Attaches a subscriber that requests one value at a time, and pauses when a closure returns `false`.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/pausableSink(receiveCompletion:receiveValue:)`` does, in a
  /// pipeline that is checked for data races.
  ///
  /// `receiveCompletion` and `receiveValue` are `@Sendable`: they may run on any thread.
  @inlinable
  public func pausableSink(
    receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @Sendable (Output) -> Bool
  ) -> any Cancellable & Pausable {
    base.pausableSink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
  }
}
