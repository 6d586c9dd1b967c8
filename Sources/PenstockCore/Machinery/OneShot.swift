// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Synchronization

/// Something that one caller may do, whichever comes first.
package struct OneShot: ~Copyable, Sendable {
  private let taken = Atomic(false)

  package init() {}

  /// Whether the caller is the first, and has it to itself from here on.
  package borrowing func take() -> Bool {
    !taken.exchange(true, ordering: .acquiringAndReleasing)
  }

  /// Whether nobody has come yet.
  ///
  /// Only of use where nobody else can be: in a `deinit`.
  package var isUntaken: Bool {
    !taken.load(ordering: .relaxed)
  }
}
