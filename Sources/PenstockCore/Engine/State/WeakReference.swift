// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A reference that does not keep its object alive, and that is never changed.
///
/// Swift 6.3 has `weak let` for that, Swift 6.2 does not. A `weak var` in a class is not the same: the type would not be
/// `Sendable`, and each read would check for exclusive access. A constant of this type has neither drawback.
@usableFromInline
package struct WeakReference<Object: AnyObject> {
  @usableFromInline internal private(set) weak var reference: Object?

  @_alwaysEmitIntoClient
  package init(_ object: Object?) { reference = object }

  /// The object, until it is freed.
  ///
  /// Computed, since a stored property of a structure with a weak reference is read from a copy of the structure: the runtime
  /// would enlist that with the object's weak references, and remove it, for each read.
  @_alwaysEmitIntoClient @inline(__always)
  package var object: Object? { reference }
}

extension WeakReference: Sendable where Object: Sendable {}
