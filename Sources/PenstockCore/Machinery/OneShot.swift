// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// Something that one caller may do, whichever comes first.
@usableFromInline
package struct OneShot: ~Copyable, Sendable {
  @usableFromInline internal let taken = Atomic(false)

  @inlinable
  package init() {}

  /// Whether the caller is the first, and has it to itself from here on.
  @inlinable
  package borrowing func take() -> Bool {
    !taken.exchange(true, ordering: .acquiringAndReleasing)
  }

  /// Whether nobody has come yet.
  ///
  /// Only of use where nobody else can be: in a `deinit`.
  @inlinable
  package var isUntaken: Bool {
    !taken.load(ordering: .relaxed)
  }
}
