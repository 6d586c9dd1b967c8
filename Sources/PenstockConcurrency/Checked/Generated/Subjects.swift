// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Made by Utilities/checked/generate from the operators of this family. Change those, or the script, and run it.

public import PenstockCore
public import PenstockOperators

extension SendablePublisher {
  /// Feeds the values of this publisher into a relay, and leaves the relay open at the end.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/subscribe(_:)`` does, in a pipeline that is checked for
  /// data races.
  @inlinable
  public func subscribe<R: Relay & Sendable>(_ relay: R) -> AnyCancellable where Failure == Never, Output == R.Output {
    base.subscribe(relay)
  }
}
