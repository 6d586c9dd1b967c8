// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

/// The inlets of `zip` for a list of publishers of one type.
@usableFromInline
internal final class QueueRow<Value>: TupleInlets {
  @usableFromInline internal let places: ContiguousArray<QueueInlet<Value>>
  /// How many inlets, counted from the first, are known to have a value: each is checked once per row, not once per
  /// value.
  @exclusivity(unchecked) @usableFromInline internal var filled = 0

  @inlinable
  internal init(_ count: Int) { places = ContiguousArray((0..<count).lazy.map { _ in QueueInlet() }) }

  @inlinable
  internal var inlets: ContiguousArray<Inlet> { ContiguousArray(places.lazy.map { $0 }) }

  @inlinable
  internal var isComplete: Bool {
    while filled < places.count, !places[filled].isEmpty { filled += 1 }
    return filled == places.count
  }

  @inlinable
  internal var hasRunOut: Bool { places.contains { $0.hasRunOut } }

  @inlinable
  internal func gather() -> [Value] {
    filled = 0
    return places.map { $0.next() }
  }
}
