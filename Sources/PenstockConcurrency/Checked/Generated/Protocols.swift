// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Made by Utilities/checked/generate from the operators of this family. Change those, or the script, and run it.

public import PenstockCore

extension SendablePublisher {
  /// Attaches a subscriber to this publisher.
  ///
  /// Does what ``/PenstockCore/Publisher/subscribe(_:)-3n0lq`` does, in a pipeline that is checked for data races.
  @inlinable
  public func subscribe<S: Subscriber & Sendable>(_ subscriber: S) where Failure == S.Failure, Output == S.Input {
    base.subscribe(subscriber)
  }
}
