// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  extension Duration {
    /// In nanoseconds, at most as many as there are numbers for.
    internal var nanoseconds: Int64 {
      let (seconds, attoseconds) = components
      let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
      return overflows ? (seconds < 0 ? .min : .max) : product + attoseconds / 1_000_000_000
    }

    /// In milliseconds, rounded up, so that what is short does not become nothing.
    internal var milliseconds: Int64 { (nanoseconds &+ 999_999) / 1_000_000 }
  }
#endif
