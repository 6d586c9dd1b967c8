// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import PenstockCore

extension Duration {
  /// The nanoseconds, as schedulers count them.
  internal var nanoseconds: Int { Int(clamping: countableNanoseconds) }
}
