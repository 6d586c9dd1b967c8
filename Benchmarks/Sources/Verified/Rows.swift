// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import VerifiedRow

extension Verification {
  /// Runs all rules.
  func row() -> VerifiedRow {
    let report = report()
    return VerifiedRow(
      name: name, broken: report.leading.filter(\.isFailure).map(\.rule.id),
      warnings: report.leading.filter { !$0.isFailure }.map(\.rule.id),
      text: report.broken.map(\.description).joined(separator: "\n"))
  }
}

/// The verifications of the library with which this target is built: the same lines for both.
///
/// Documented behaviour of Combine's operators, such as requesting everything, is declared by traits, and is not a
/// finding.
enum Verified {
  static var all: [any Verification] {
    operators + throwingOperators + severalUpstreams + sources + subjects + subscribers
  }

  static func rows(named filter: String?) -> [VerifiedRow] {
    all.filter { verification in filter.map { verification.name.contains($0) } ?? true }.map { $0.row() }
  }
}
