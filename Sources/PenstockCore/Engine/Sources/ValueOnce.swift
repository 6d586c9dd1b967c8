// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// A value that is set once and never changes afterwards; what ``SetOnce`` is for objects.
///
/// Any number of threads may read it, each with a single load before the copy and without a lock. The value is on the heap:
/// inside of the owner, a thread could read it only through a second access to the memory that another is reading, which
/// counts as a change.
///
/// The layout is the same for all types. The owner calls ``free(isPlain:)`` in its `deinit`.
@usableFromInline
package struct ValueOnce<Value>: ~Copyable {
  /// The address of the value, or zero.
  @usableFromInline internal let address = AtomicCell<UInt>(0)

  @_alwaysEmitIntoClient
  package init() {}

  @_alwaysEmitIntoClient @inline(__always)
  internal var place: UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(bitPattern: address.load(ordering: .acquiring))
  }

  /// Whether there is a value; for callers that hold the lock under which it is set.
  @_alwaysEmitIntoClient
  package var isSet: Bool { address.load(ordering: .relaxed) != 0 }

  /// A copy of the value, if there is one.
  @_alwaysEmitIntoClient
  package var value: Value? { place?.assumingMemoryBound(to: Value.self).pointee }

  /// A copy of the value; for callers that know that it is set.
  @_alwaysEmitIntoClient
  package var settled: Value { place.unsafelyUnwrapped.assumingMemoryBound(to: Value.self).pointee }

  /// Sets the value; it must not be set, and no other thread may set it at the same time.
  @_alwaysEmitIntoClient
  package func set(_ value: consuming Value) {
    let place = UnsafeMutableRawPointer.allocate(
      byteCount: max(MemoryLayout<Value>.size, 1), alignment: MemoryLayout<Value>.alignment)
    place.initializeMemory(as: Value.self, to: value)
    address.store(UInt(bitPattern: place), ordering: .releasing)
  }

  /// Releases the value and its memory.
  ///
  /// - Parameter isPlain: Whether the value has nothing to release: the `deinit` of a generic class knows that from its
  ///   parameters, without a look at the value's type.
  @_alwaysEmitIntoClient @inline(__always)
  package func free(isPlain: Bool) {
    guard let place = place else { return }
    if !isPlain { place.assumingMemoryBound(to: Value.self).deinitialize(count: 1) }
    place.deallocate()
  }
}

extension ValueOnce: Sendable where Value: Sendable {}
