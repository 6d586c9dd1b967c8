// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// An object that is created on first use and kept for good.
///
/// A closure of the user's creates it, so it runs outside the lock. Two threads that need the object at the same moment
/// may therefore both create one: the first to be stored is kept, the other is dropped.
@usableFromInline
package struct MadeOnce<Object: AnyObject>: ~Copyable {
  @usableFromInline internal let stored: Guarded<AnyObject?>

  @inlinable
  package init() {
    stored = Guarded(nil)
  }

  @inlinable
  package borrowing func object(_ make: () -> Object) -> Object {
    if let kept = stored.withLock({ $0 }) { return unsafeDowncast(kept, to: Object.self) }
    let made = make()
    let kept = stored.withLock { stored in
      let kept = stored ?? made
      stored = kept
      return kept
    }
    return unsafeDowncast(kept, to: Object.self)
  }
}
