// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A value that is an object, so that its release can be seen.
public final class VerificationObject: Hashable, CustomStringConvertible, @unchecked Sendable {
  /// The number of the value.
  public let number: Int
  private let onEnd: (() -> Void)?

  init(_ number: Int, onEnd: (() -> Void)? = nil) { (self.number, self.onEnd) = (number, onEnd) }

  deinit { onEnd?() }

  /// The number.
  public var description: String { "object \(number)" }

  /// Returns whether two values have the same number.
  public static func == (lhs: VerificationObject, rhs: VerificationObject) -> Bool { lhs.number == rhs.number }

  /// Hashes the number.
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
