// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The findings of the verification in one operator, publisher, subject or subscriber of one library.
public struct VerifiedRow: Sendable {
  public let name: String
  /// The identifiers of the rules that are broken; without those that Combine tolerates.
  public let broken: [String]
  /// The identifiers of the broken rules that Combine tolerates.
  public let warnings: [String]
  /// The findings in full.
  public let text: String

  public init(name: String, broken: [String], warnings: [String], text: String) {
    (self.name, self.broken, self.warnings, self.text) = (name, broken, warnings, text)
  }
}
