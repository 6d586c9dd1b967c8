// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockTesting
import Testing

/// Expects that the kit's strict judge has no complaints, except about what Combine's operators do as well.
///
/// - Returns: The report, for further expectations.
@discardableResult
public func judge(_ verification: any Verification) async -> VerificationReport {
  let report = await verification.asCombine.report()
  #expect(report.complaints(.strict) == [], "\(report)")
  return report
}

extension Verification {
  /// Allows what Combine's operators also do, or sometimes do.
  fileprivate var asCombine: any Verification {
    self.allowing("M-03", because: "a subscription that is held holds its subscriber, as in Combine")
      .allowing("O-07", because: "a failure waits behind values that nobody has requested, as in Combine")
      .allowing("O-14", because: "what upstream sends out of order is passed on, as in Combine")
      .allowing("R-04", because: "a value may be confirmed on another thread, and one more requested, as upstream ends")
      .allowing("R-07", because: "two threads that leave an operator one after the other may both request upstream")
  }
}
