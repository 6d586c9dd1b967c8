// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// The right to do something once, which goes to whoever asks first.
///
/// It takes half of what a lock takes, and whoever frees the object that it is part of need not even ask.
@usableFromInline
package struct Claim: ~Copyable, Sendable {
  @usableFromInline internal let word = Atomic(false)

  @inlinable
  package init() {}

  /// Asks for the right.
  ///
  /// - Returns: Whether it is the caller's. What others have written before they asked can be seen then.
  @inlinable
  package borrowing func take() -> Bool {
    !word.exchange(true, ordering: .acquiringAndReleasing)
  }

  /// Whether somebody has the right.
  @inlinable
  package var isTaken: Bool { word.load(ordering: .relaxed) }
}
