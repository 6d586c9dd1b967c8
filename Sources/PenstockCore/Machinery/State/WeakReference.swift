// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A reference that does not keep its object alive, and that is never changed.
///
/// Swift 6.3 has `weak let` for that, Swift 6.2 does not. A `weak var` in a class is not the same: the type would not be
/// `Sendable`, and each read would check for exclusive access. A constant of this type has neither drawback.
@usableFromInline
package struct WeakReference<Object: AnyObject> {
  /// The object, until it is freed.
  @usableFromInline package private(set) weak var object: Object?

  @inlinable
  package init(_ object: Object?) { self.object = object }
}

extension WeakReference: Sendable where Object: Sendable {}
