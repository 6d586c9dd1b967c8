// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// A reference that is set once, by whoever comes first, and kept from then on.
///
/// Reading it is one load: no lock, and no counting of references, since it stays for as long as this does.
/// `AtomicLazyReference` says the same, but its code cannot be specialised: a load through it takes thirty nanoseconds.
@usableFromInline
package struct SetOnce<Object: AnyObject>: ~Copyable {
  /// The address of the object, or zero.
  @usableFromInline internal let word = Atomic<UInt>(0)

  @inlinable
  package init() {}

  @inlinable
  deinit {
    current?.release()
  }

  /// The object, uncounted: only to be used while this is kept.
  @inlinable
  package var current: Unmanaged<Object>? {
    UnsafeRawPointer(bitPattern: word.load(ordering: .acquiring)).map { Unmanaged.fromOpaque($0) }
  }

  /// Keeps an object, unless there is one.
  ///
  /// - Returns: The object that is kept from now on.
  @inlinable
  package borrowing func set(_ object: Object) -> Object {
    let retained = Unmanaged.passRetained(object)
    let (exchanged, original) = word.compareExchange(
      expected: 0, desired: UInt(bitPattern: retained.toOpaque()), ordering: .acquiringAndReleasing)
    guard !exchanged, let earlier = UnsafeRawPointer(bitPattern: original) else { return object }
    retained.release()
    return Unmanaged<Object>.fromOpaque(earlier).takeUnretainedValue()
  }
}
