// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension SendablePublisher {
  /// Transforms the publisher itself with a function, so that several pipelines can share a part.
  ///
  /// It works as ``/PenstockOperators/PenstockCore/Publisher/apply(_:)``, in a pipeline that is checked for data races.
  @inlinable
  public func apply<P: Publisher>(
    _ transform: (Self) throws -> SendablePublisher<P>
  ) rethrows -> SendablePublisher<P> { try transform(self) }
}
