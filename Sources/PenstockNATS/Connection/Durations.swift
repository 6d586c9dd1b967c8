// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if NATS
  internal import PenstockCore

  extension Duration {
    /// In milliseconds, rounded up, so that what is short does not become nothing.
    internal var milliseconds: Int64 {
      let (whole, rest) = countableNanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
      return rest > 0 ? whole + 1 : whole
    }
  }
#endif
