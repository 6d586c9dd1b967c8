// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Nothing, as long as a cache line is.
///
/// Between two stored properties it keeps a thread that writes to the one from slowing down a thread that uses the
/// other: two threads that send to one subject are twice as fast for it.
@usableFromInline
internal struct CacheLine: Sendable {
  @usableFromInline internal let words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  @inlinable
  internal init() {
    words = (0, 0, 0, 0, 0, 0, 0, 0)
  }
}
