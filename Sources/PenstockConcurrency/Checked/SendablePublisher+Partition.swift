// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore
public import PenstockOperators

extension SendablePublisher {
  /// Divides the values between two publishers: those that satisfy a condition, and the others.
  ///
  /// It works as ``/PenstockOperators/PenstockCore/Publisher/partition(_:)``, in a pipeline that is checked for data
  /// races. `isIncluded` is `@Sendable`: it may run on any thread, for several subscribers at once.
  @inlinable
  public func partition(
    _ isIncluded: @escaping @Sendable (Output) -> Bool
  ) -> (
    matches: SendablePublisher<Publishers.Lifted<Base.Output, Base.Failure>>,
    nonMatches: SendablePublisher<Publishers.Lifted<Base.Output, Base.Failure>>
  ) {
    let (matches, nonMatches) = base.partition(isIncluded)
    return (SendablePublisher<_>(unchecked: matches), SendablePublisher<_>(unchecked: nonMatches))
  }
}
