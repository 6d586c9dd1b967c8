// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Synchronization

/// A variable that one thread at a time changes, and that tools read on any thread meanwhile.
///
/// Relaxed loads and stores are the instructions of a plain variable. Nothing that the library does depends on what another
/// thread reads here. So this is no ``AtomicCell``, whose operations are points at which the explorer may change threads.
@usableFromInline
package struct ShownCell<Value: AtomicCellValue>: ~Copyable, Sendable {
  @usableFromInline internal let storage: Atomic<UInt>

  @_alwaysEmitIntoClient
  package init(_ value: Value) { storage = Atomic(value.word) }

  /// Holds the value whose word is zero: a constant, which a global variable needs no initialiser for.
  @_alwaysEmitIntoClient
  package init() { storage = Atomic(0) }

  @_alwaysEmitIntoClient
  package var value: Value { Value(word: storage.load(ordering: .relaxed)) }

  // A setter would allow `value += 1`, which the thread sanitizer takes for a change of the whole variable, and reports.
  @_alwaysEmitIntoClient
  package func set(_ value: Value) { storage.store(value.word, ordering: .relaxed) }
}

extension ShownCell where Value: FixedWidthInteger {
  /// Adds a count, and wraps around on overflow; two additions at the same time may count once.
  @inlinable
  package func add(_ count: Value) { set(value &+ count) }
}
