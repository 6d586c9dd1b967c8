// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension SendablePublisher {
  /// Transforms the publisher itself by a function, so that a part of a pipeline can be used in several.
  ///
  /// Does what ``/PenstockOperators/PenstockCore/Publisher/apply(_:)`` does, in a pipeline that is checked for data races.
  @inlinable
  public func apply<P: Publisher>(
    _ transform: (Self) throws -> SendablePublisher<P>
  ) rethrows -> SendablePublisher<P> { try transform(self) }
}
