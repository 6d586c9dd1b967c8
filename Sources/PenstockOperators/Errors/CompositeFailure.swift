// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The failures of several publishers; see `mergeDelayingErrors(with:)`.
public struct CompositeFailure<Underlying: Error>: Error {
  /// The failures, in the order in which they have arrived: at least one.
  public let failures: [Underlying]

  @usableFromInline
  internal init(_ failures: [Underlying]) { self.failures = failures }
}

extension CompositeFailure: Equatable where Underlying: Equatable {}
extension CompositeFailure: Hashable where Underlying: Hashable {}

extension CompositeFailure: CustomStringConvertible {
  /// The failures, separated by commas.
  public var description: String { failures.map { "\($0)" }.joined(separator: ", ") }
}
