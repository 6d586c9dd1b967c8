// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule

/// One upstream of an operator that makes tuples, with what has come from there.
///
/// All of it belongs to the owner of the loop.
@usableFromInline
package class Lane: Inlet {
  /// Whether there is no value for a tuple.
  @exclusivity(unchecked) @usableFromInline package final var isEmpty = true
  /// Whether the upstream has finished.
  @exclusivity(unchecked) @usableFromInline package final var isFinished = false

  /// Frees the values.
  @usableFromInline
  package func clear() {}

  /// The value for a tuple, for a debugger.
  @usableFromInline
  package var shown: Any? { nil }
}

/// A lane whose values are used once each, in order: that of `zip`.
@usableFromInline
package final class QueueLane<Value>: Lane {
  /// The first value; it has a place of its own, because there is seldom another one.
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

  /// Takes the first value; there has to be one.
  @inlinable
  package func next() -> Value {
    let value = front.take().unsafelyUnwrapped
    if others.isEmpty { isEmpty = true } else { dispose(of: displace(&front, with: others.removeFirst())) }
    return value
  }

  @usableFromInline
  package override func clear() {
    // Emptied before anything is freed, which may run code of the user's.
    let values = (front.take(), others)
    others = []
    isEmpty = true
    withExtendedLifetime(values) {}
  }
}

/// A lane of which only the latest value counts, as often as it is needed: that of `combineLatest`.
@usableFromInline
package final class LatestLane<Value>: Lane {
  @exclusivity(unchecked) @usableFromInline internal var latest: Value?

  @inlinable
  package override init() {}

  @inlinable
  package func replace(with value: Value) {
    dispose(of: displace(&latest, with: value))
    isEmpty = false
  }

  /// The latest value; there has to be one.
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

/// A lane that tells the type of its values.
@usableFromInline
package protocol TypedLane<Value>: Lane {
  associatedtype Value

  func next() -> Value
}

extension QueueLane: TypedLane {}

extension LatestLane: TypedLane {}
