// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// An object that is made when it is first needed, and kept for good.
///
/// It is made outside of the lock, since whoever makes it is a closure of the user's. Hence two threads that need it at
/// the same moment may both make one: the first to be stored is kept, and the other dropped.
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
