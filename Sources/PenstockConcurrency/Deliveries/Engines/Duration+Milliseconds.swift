// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

extension Duration {
  /// The duration in milliseconds, rounded up, so that a short one does not become zero.
  package var milliseconds: Int64 {
    let (whole, rest) = countableNanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return rest > 0 ? whole + 1 : whole
  }
}
