// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule

/// One upstream of an operator that delivers tuples, with the values that have arrived from it.
///
/// Accessed only by the owner of the loop.
@usableFromInline
package class TupleInlet: Inlet {
  // Tools read these two on any thread.

  /// How often it has become full or empty: an odd number while it is full.
  @usableFromInline internal final let changes = ShownCell<UInt>(0)
  /// The number of values after the first one.
  @usableFromInline internal final let behind = ShownCell(0)

  /// Whether no value is available for a tuple.
  @_alwaysEmitIntoClient
  package final var isEmpty: Bool {
    get { changes.value & 1 == 0 }
    set {
      let count = changes.value
      if (count & 1 == 0) != newValue { changes.set(count &+ 1) }
    }
  }

  /// The number of values.
  internal final var count: Int { isEmpty ? 0 : 1 + behind.value }

  /// Whether the upstream has finished.
  @exclusivity(unchecked) @usableFromInline package final var isFinished = false

  /// Whether the upstream has finished, and all its values have been used.
  @_alwaysEmitIntoClient
  package final var hasRunOut: Bool { isFinished && isEmpty }

  /// Frees the values, at the end of an operator's stream.
  @usableFromInline
  package func clear(of core: SerialSubscription) {}

  /// The value for the next tuple, for a debugger.
  @usableFromInline
  package var shown: Any? { nil }
}

/// An inlet whose values are used once each, in order, for `zip`.
@usableFromInline
package final class QueueInlet<Value>: TupleInlet {
  /// The first value, stored inline because there is seldom a second one.
  @exclusivity(unchecked) @usableFromInline internal var front = ValueSlot<Value>()
  @exclusivity(unchecked) @usableFromInline internal var others: Deque<Value> = []

  @inlinable
  package override init() {}

  deinit {
    if front.isUsed { front.empty() }
  }

  @inlinable
  package func append(_ value: Value) {
    if isEmpty {
      front.put(value)
      isEmpty = false
    } else {
      others.append(value)
      behind.set(others.count)
    }
  }

  /// Removes the first value; the inlet must not be empty.
  @_alwaysEmitIntoClient
  package func next() -> Value {
    let value = front.take()
    if others.isEmpty {
      isEmpty = true
    } else {
      front.put(others.removeFirst())
      behind.set(others.count)
    }
    return value
  }

  @usableFromInline
  package override func clear(of core: SerialSubscription) {
    // Emptied before anything is released, which may run user code.
    let others = exchange(&others, with: [])
    isEmpty = true
    behind.set(0)
    if front.isFull {
      let first = front.take()
      core.noteDiscard(first, .ended)
    }
    core.noteDiscards(of: others, .ended)
    withExtendedLifetime(others) {}
  }
}

/// An inlet that keeps only the latest value and uses it repeatedly, for `combineLatest`.
@usableFromInline
package final class LatestInlet<Value>: TupleInlet {
  @exclusivity(unchecked) @usableFromInline internal var latest = ValueSlot<Value>()

  @inlinable
  package override init() {}

  deinit {
    if latest.isUsed { latest.empty() }
  }

  @_alwaysEmitIntoClient
  package func replace(with value: Value) {
    let replaced = latest.replace(with: value)
    isEmpty = false
    dispose(of: replaced)
  }

  /// The latest value; the inlet must not be empty.
  @_alwaysEmitIntoClient
  package func next() -> Value { latest.copy() }

  @usableFromInline
  package override func clear(of core: SerialSubscription) {
    isEmpty = true
    latest.empty()
  }

  @usableFromInline
  package override var shown: Any? { latest.isFull ? latest.copy() : nil }
}

/// An inlet with a known type of values.
@usableFromInline
package protocol TypedInlet<Value>: TupleInlet {
  associatedtype Value

  func next() -> Value
}

extension QueueInlet: TypedInlet {}

/// An inlet of `combineLatest`, which keeps the latest value.
@usableFromInline
package protocol ReplacingInlet<Value>: TupleInlet {
  associatedtype Value

  func replace(with value: Value)
}

extension LatestInlet: TypedInlet, ReplacingInlet {}
