// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Frees a value of the user's that another one has taken the place of.
///
/// ```swift
/// dispose(of: exchange(&last, with: input))
/// ```
///
/// Its `deinit` may send, and so lead back to the same place. An assignment, or a result that is ignored, may be freed
/// before the new value is there, and the way back would free it once more. Used here it lives until it has been replaced.
@inlinable @inline(__always)
package func dispose<Value>(of replaced: consuming Value) {
  withExtendedLifetime(replaced) {}
}
