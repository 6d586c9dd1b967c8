// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Replaces a value of the user's by another one, as in `dispose(of: displace(&last, with: input))`.
///
/// The old value's `deinit` is user code, which may send and so reach the same variable again. An assignment, or an
/// ignored result, may release the old value before the new one is stored, and the nested call would release it a
/// second time. So the old value is returned, and ``dispose(of:)`` releases it after the replacement.
///
/// - Returns: The old value; `nil` if there is nothing to release.
@inlinable @inline(__always)
package func displace<Value>(_ place: inout Value, with value: consuming Value) -> Value? {
  guard _isPOD(Value.self) else { return exchange(&place, with: value) }
  place = value
  return nil
}

/// Releases a value of the user's that has been replaced; see ``displace(_:with:)``.
@inlinable @inline(__always)
package func dispose<Value>(of replaced: consuming Value?) {
  withExtendedLifetime(replaced) {}
}
