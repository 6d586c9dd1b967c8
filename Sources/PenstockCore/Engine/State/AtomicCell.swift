// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

#if !PENSTOCK_EXPLORER
  public import Synchronization

  /// A variable that several threads may read and write at the same time; with ``Guarded`` the only way to share state.
  ///
  /// All atomic operations on which the library depends go through this type, and all locks through ``Guarded``: so a test
  /// can put a scheduler of interleavings behind both. The operations and their orderings are those of
  /// `Synchronization.Atomic`.
  ///
  /// A value is stored as one word, whatever its type: the cells of a subscription are few, and a word is read as fast as
  /// a byte.
  @usableFromInline
  package struct AtomicCell<Value: AtomicCellValue>: ~Copyable, Sendable {
    @usableFromInline internal let storage: Atomic<UInt>

    @_alwaysEmitIntoClient
    package init(_ value: Value) { storage = Atomic(value.word) }

    @_semantics("atomics.requires_constant_orderings")
    @_transparent @_alwaysEmitIntoClient
    package borrowing func load(ordering: AtomicLoadOrdering) -> Value {
      Value(word: storage.load(ordering: ordering))
    }

    @_semantics("atomics.requires_constant_orderings")
    @_transparent @_alwaysEmitIntoClient
    package borrowing func store(_ value: Value, ordering: AtomicStoreOrdering) {
      storage.store(value.word, ordering: ordering)
    }

    @_semantics("atomics.requires_constant_orderings")
    @_transparent @_alwaysEmitIntoClient
    package borrowing func exchange(_ value: Value, ordering: AtomicUpdateOrdering) -> Value {
      Value(word: storage.exchange(value.word, ordering: ordering))
    }

    @_semantics("atomics.requires_constant_orderings")
    @_transparent @_alwaysEmitIntoClient
    package borrowing func compareExchange(
      expected: Value, desired: Value, successOrdering: AtomicUpdateOrdering, failureOrdering: AtomicLoadOrdering
    ) -> (exchanged: Bool, original: Value) {
      let (exchanged, original) = storage.compareExchange(
        expected: expected.word, desired: desired.word, successOrdering: successOrdering,
        failureOrdering: failureOrdering)
      return (exchanged, Value(word: original))
    }

    @_semantics("atomics.requires_constant_orderings")
    @_transparent @_alwaysEmitIntoClient
    package borrowing func compareExchange(
      expected: Value, desired: Value, ordering: AtomicUpdateOrdering
    ) -> (exchanged: Bool, original: Value) {
      let (exchanged, original) = storage.compareExchange(
        expected: expected.word, desired: desired.word, ordering: ordering)
      return (exchanged, Value(word: original))
    }

    /// The same, except that it may fail even if the cell holds the expected value; for loops that try again.
    @_semantics("atomics.requires_constant_orderings")
    @_transparent @_alwaysEmitIntoClient
    package borrowing func weakCompareExchange(
      expected: Value, desired: Value, successOrdering: AtomicUpdateOrdering, failureOrdering: AtomicLoadOrdering
    ) -> (exchanged: Bool, original: Value) {
      let (exchanged, original) = storage.weakCompareExchange(
        expected: expected.word, desired: desired.word, successOrdering: successOrdering,
        failureOrdering: failureOrdering)
      return (exchanged, Value(word: original))
    }

    /// Loads the value again and again, so that other threads have a moment to continue.
    @_alwaysEmitIntoClient @inline(__always)
    package borrowing func linger(loads count: Int) {
      // Atomic loads, which the compiler does not remove.
      for _ in 0..<count { _ = storage.load(ordering: .relaxed) }
    }
  }

  extension AtomicCell where Value == UInt {
    @_semantics("atomics.requires_constant_orderings")
    @_transparent @_alwaysEmitIntoClient @discardableResult
    package borrowing func wrappingAdd(
      _ operand: UInt, ordering: AtomicUpdateOrdering
    ) -> (oldValue: UInt, newValue: UInt) {
      storage.wrappingAdd(operand, ordering: ordering)
    }

    @_semantics("atomics.requires_constant_orderings")
    @_transparent @_alwaysEmitIntoClient @discardableResult
    package borrowing func bitwiseOr(
      _ operand: UInt, ordering: AtomicUpdateOrdering
    ) -> (oldValue: UInt, newValue: UInt) {
      storage.bitwiseOr(operand, ordering: ordering)
    }
  }

  /// Orders all accesses before it, in this thread, before all accesses after it.
  @_transparent @_alwaysEmitIntoClient
  package func fullFence() { atomicMemoryFence(ordering: .sequentiallyConsistent) }

  /// Called in a loop that waits for a step of another thread.
  ///
  /// Does nothing; a test's scheduler of interleavings learns from it that the thread cannot continue on its own.
  @inlinable @inline(__always)
  package func spin() {}
#endif

/// A value that fits into an ``AtomicCell``.
@usableFromInline
package protocol AtomicCellValue {
  init(word: UInt)

  var word: UInt { get }
}

extension UInt: AtomicCellValue {
  @_transparent @_alwaysEmitIntoClient
  package init(word: UInt) { self = word }

  @_transparent @_alwaysEmitIntoClient
  package var word: UInt { self }
}

extension Int: AtomicCellValue {
  @_transparent @_alwaysEmitIntoClient
  package init(word: UInt) { self = Int(bitPattern: word) }

  @_transparent @_alwaysEmitIntoClient
  package var word: UInt { UInt(bitPattern: self) }
}

extension Bool: AtomicCellValue {
  @_transparent @_alwaysEmitIntoClient
  package init(word: UInt) { self = word != 0 }

  @_transparent @_alwaysEmitIntoClient
  package var word: UInt { self ? 1 : 0 }
}

extension AtomicCellValue where Self: RawRepresentable, RawValue == UInt8 {
  @_transparent @_alwaysEmitIntoClient
  package init(word: UInt) {
    // A cast, because `init(rawValue:)` compares with each case. It is sound: only `word` makes the words of a cell, and
    // the cases of such an enumeration are numbered from 0 without gaps, as the compiler numbers them.
    self = unsafeBitCast(UInt8(truncatingIfNeeded: word), to: Self.self)
  }

  @_transparent @_alwaysEmitIntoClient
  package var word: UInt { UInt(unsafeBitCast(self, to: UInt8.self)) }
}
