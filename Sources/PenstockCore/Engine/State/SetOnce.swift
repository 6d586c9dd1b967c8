// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// A strong reference that is set once and never changes afterwards.
///
/// Reading it is a single load, without a lock and without reference counting, because the object lives as long as this
/// storage. `AtomicLazyReference` offers the same, but its code cannot be specialised: a load through it takes thirty
/// nanoseconds.
@usableFromInline
package struct SetOnce<Object: AnyObject>: ~Copyable {
  /// The address of the object, or zero.
  ///
  /// The storage owns one reference to the object.
  @usableFromInline internal let word = AtomicCell<UInt>(0)

  @_alwaysEmitIntoClient
  package init() {}

  /// Creates a storage with an object.
  @_alwaysEmitIntoClient
  package init(_ object: consuming Object) {
    word.store(UInt(bitPattern: Unmanaged.passRetained(object).toOpaque()), ordering: .relaxed)
  }

  @inlinable
  deinit {
    current?.release()
  }

  /// The object, unretained: valid only while this storage exists.
  ///
  /// Acquiring, to see the object that another thread initialised before it published the address.
  @inlinable
  package var current: Unmanaged<Object>? {
    UnsafeRawPointer(bitPattern: word.load(ordering: .acquiring)).map { Unmanaged.fromOpaque($0) }
  }

  /// Stores an object, unless one is stored already.
  ///
  /// - Returns: The object that is stored from now on.
  @_alwaysEmitIntoClient
  package borrowing func set(_ object: Object) -> Object {
    let retained = Unmanaged.passRetained(object)
    let (exchanged, original) = word.compareExchange(
      expected: 0, desired: UInt(bitPattern: retained.toOpaque()), ordering: .acquiringAndReleasing)
    guard !exchanged, let earlier = UnsafeRawPointer(bitPattern: original) else { return object }
    retained.release()
    return Unmanaged<Object>.fromOpaque(earlier).takeUnretainedValue()
  }

  /// The object, created on first use.
  ///
  /// The closure may be the user's, so no lock is held. Two threads that need the object at the same moment may
  /// therefore both create one: the first to be stored is kept, the other is dropped.
  @_alwaysEmitIntoClient
  package borrowing func object(_ make: () -> Object) -> Object {
    current?.takeUnretainedValue() ?? set(make())
  }
}
