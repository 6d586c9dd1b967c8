// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule

/// One upstream of an operator that delivers tuples, with the values that have arrived from it.
///
/// Accessed only by the owner of the loop.
@usableFromInline
package class TupleInlet: Inlet {
  /// Whether there is no value for a tuple.
  @exclusivity(unchecked) @usableFromInline package final var isEmpty = true
  /// Whether the upstream has finished.
  @exclusivity(unchecked) @usableFromInline package final var isFinished = false

  /// Frees the values.
  @usableFromInline
  package func clear() {}

  /// The value for the next tuple, for a debugger.
  @usableFromInline
  package var shown: Any? { nil }
}

/// An inlet whose values are used once each, in order, for `zip`.
@usableFromInline
package final class QueueInlet<Value>: TupleInlet {
  /// The first value, stored inline because there is seldom a second one.
  @exclusivity(unchecked) @usableFromInline internal var front: Value?
  @exclusivity(unchecked) @usableFromInline internal var others: Deque<Value> = []

  @inlinable
  package override init() {}

  @inlinable
  package func append(_ value: Value) {
    if isEmpty {
      dispose(of: displace(&front, with: value))
      isEmpty = false
    } else {
      others.append(value)
    }
  }

  /// Removes the first value; the inlet must not be empty.
  @inlinable
  package func next() -> Value {
    let value = front.take().unsafelyUnwrapped
    if others.isEmpty { isEmpty = true } else { dispose(of: displace(&front, with: others.removeFirst())) }
    return value
  }

  @usableFromInline
  package override func clear() {
    // Emptied before anything is released, which may run user code.
    let values = (front.take(), others)
    others = []
    isEmpty = true
    withExtendedLifetime(values) {}
  }
}

/// An inlet that keeps only the latest value and uses it repeatedly, for `combineLatest`.
@usableFromInline
package final class LatestInlet<Value>: TupleInlet {
  @exclusivity(unchecked) @usableFromInline internal var latest: Value?

  @inlinable
  package override init() {}

  @inlinable
  package func replace(with value: Value) {
    dispose(of: displace(&latest, with: value))
    isEmpty = false
  }

  /// The latest value; the inlet must not be empty.
  @inlinable
  package func next() -> Value { latest.unsafelyUnwrapped }

  @usableFromInline
  package override func clear() {
    isEmpty = true
    _ = latest.take()
  }

  @usableFromInline
  package override var shown: Any? { latest }
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
