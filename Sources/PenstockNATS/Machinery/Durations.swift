// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import PenstockCore

  extension Duration {
    /// In nanoseconds, at most as many as there are numbers for.
    internal var nanoseconds: Int64 { countableNanoseconds }

    /// In milliseconds, rounded up, so that what is short does not become nothing.
    internal var milliseconds: Int64 {
      let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
      return rest > 0 ? whole + 1 : whole
    }
  }
#endif
