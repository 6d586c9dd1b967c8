// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if !PENSTOCK_EXPLORER
  public import Synchronization
#endif

/// A variable that one thread at a time changes, and that tools read on any thread meanwhile.
///
/// Relaxed loads and stores are the instructions of a plain variable. Nothing that the library does depends on what another
/// thread reads here, so under the explorer of schedules it is plain, and no point at which threads may change.
@usableFromInline
package struct ShownCell<Value: AtomicCellValue>: ~Copyable, @unchecked Sendable {
  // `@unchecked` for the explorer, whose threads run one at a time.

  #if PENSTOCK_EXPLORER
    private let place: UnsafeMutablePointer<Value>

    @usableFromInline
    package init(_ value: Value) {
      place = .allocate(capacity: 1)
      place.initialize(to: value)
    }

    deinit { place.deallocate() }

    @usableFromInline
    package var value: Value { place.pointee }

    @usableFromInline
    package func set(_ value: Value) { place.pointee = value }
  #else
    @usableFromInline internal let cell: AtomicCell<Value>

    @inlinable
    package init(_ value: Value) { cell = AtomicCell(value) }

    @inlinable
    package var value: Value { cell.load(ordering: .relaxed) }

    // A setter would allow `value += 1`, which the thread sanitizer takes for a change of the whole variable, and reports.
    @inlinable
    package func set(_ value: Value) { cell.store(value, ordering: .relaxed) }
  #endif
}

extension ShownCell where Value: FixedWidthInteger {
  /// Adds a count, around the end of the numbers if need be; what two threads add at once may count once.
  @inlinable
  package func add(_ count: Value) { set(value &+ count) }
}
