// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// A flag that exactly one caller can take.
@usableFromInline
package struct OneShot: ~Copyable, Sendable {
  @usableFromInline internal let taken = AtomicCell(false)

  @inlinable
  package init() {}

  /// Takes the flag.
  ///
  /// - Returns: Whether this call was the first.
  @inlinable
  package borrowing func take() -> Bool {
    !taken.exchange(true, ordering: .acquiringAndReleasing)
  }

  /// Whether the flag has not been taken yet.
  ///
  /// Reliable only where no other thread has access any more, as in a `deinit`: the load is relaxed.
  @inlinable
  package var isUntaken: Bool {
    !taken.load(ordering: .relaxed)
  }
}
