// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension Duration {
  /// The nanoseconds, clamped to the maximum.
  internal var nanoseconds: Int {
    let (seconds, attoseconds) = components
    let (whole, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : Int(clamping: whole + attoseconds / 1_000_000_000)
  }
}
