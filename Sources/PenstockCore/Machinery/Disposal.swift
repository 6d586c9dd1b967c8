// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Puts a value of the user's in the place of another one, as in `dispose(of: displace(&last, with: input))`.
///
/// The old one's `deinit` may send, and so lead back to the same place. An assignment, or a result that is ignored, may be
/// freed before the new value is there, and the way back would free it once more. So the old value is handed out, and
/// freed by ``dispose(of:)`` when it has been replaced.
///
/// - Returns: The old value; `nil` where there is nothing to free.
@inlinable @inline(__always)
package func displace<Value>(_ place: inout Value, with value: consuming Value) -> Value? {
  guard _isPOD(Value.self) else { return exchange(&place, with: value) }
  place = value
  return nil
}

/// Frees a value of the user's that another one has taken the place of; see ``displace(_:with:)``.
@inlinable @inline(__always)
package func dispose<Value>(of replaced: consuming Value?) {
  withExtendedLifetime(replaced) {}
}
