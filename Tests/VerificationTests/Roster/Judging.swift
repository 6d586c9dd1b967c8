// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockTesting
import Testing

/// Expects that nothing is broken but what Combine's operators break as well, that no waiver is left over, and that nothing
/// is left open but what has to be.
///
/// - Parameters:
///   - open: The rules about which nothing can be said, for a reason that stands beside the line.
///   - reasons: Why some rules are broken at times.
func judge(
  _ report: VerificationReport, leavingOpen open: Set<String> = [], atTimes reasons: [String: String] = [:]
) {
  let broken = report.broken.filter {
    !["M-03", "O-07", "O-14", "R-04", "R-07"].contains($0.rule.id) && reasons[$0.rule.id] == nil
  }
  #expect(broken.isEmpty, "\(broken.map(\.description).joined(separator: "\n"))")
  #expect(report.unusedWaivers.isEmpty, "\(report)")
  // Under the thread sanitizer a process cannot be copied, so what may stop one is left open everywhere.
  if SanitizerProbe.isUnderThreadSanitizer { return }
  // C-07 needs the thread sanitizer.
  let left = report.open.filter { $0.rule.id != "C-07" }
  #expect(Set(left.map(\.rule.id)) == open, "\(left.map(\.description).joined(separator: "\n"))")
}
