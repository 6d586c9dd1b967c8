// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The inlets of `combineLatest` for a list of publishers of one type.
///
/// They keep their values in one array, which is changed in place: a value costs the same however many publishers there
/// are, unless downstream keeps the array.
@usableFromInline
package final class LatestRow<Value>: TupleInlets {
  @usableFromInline package let places: ContiguousArray<RowInlet<Value>>
  @exclusivity(unchecked) @usableFromInline internal var values: [Value] = []
  /// The values, until each publisher has delivered one.
  @exclusivity(unchecked) @usableFromInline internal var early: ContiguousArray<Value?>
  @exclusivity(unchecked) @usableFromInline internal var missing: Int

  @inlinable
  package init(_ count: Int) {
    places = ContiguousArray((0..<count).lazy.map { RowInlet($0) })
    early = ContiguousArray(repeating: nil, count: count)
    missing = count
    for inlet in places { inlet.row = .passUnretained(self) }
  }

  @_alwaysEmitIntoClient
  package var inlets: ContiguousArray<Inlet> { ContiguousArray(places.lazy.map { $0 }) }

  @_alwaysEmitIntoClient
  package var isComplete: Bool { missing == 0 }

  @_alwaysEmitIntoClient
  package var hasRunOut: Bool { places.contains { $0.hasRunOut } }

  @_alwaysEmitIntoClient
  package func gather() -> [Value] { values }

  @inlinable
  internal func replace(_ place: Int, with value: Value, isFirst: Bool) {
    if missing == 0 {
      var old = value
      swap(&values[place], &old)
      return dispose(of: old)
    }
    let old = exchange(&early[place], with: value)
    dispose(of: old)
    if isFirst { missing -= 1 }
    if missing == 0 { values = exchange(&early, with: []).map { $0.unsafelyUnwrapped } }
  }

  @usableFromInline
  internal func discard() {
    let kept = (exchange(&values, with: []), exchange(&early, with: []))
    withExtendedLifetime(kept) {}
  }
}

/// One upstream of a ``LatestRow``.
@usableFromInline
package final class RowInlet<Value>: TupleInlet, ReplacingInlet {
  @usableFromInline internal let place: Int
  /// The row, unretained, since it refers to its inlets; the operator keeps both.
  @exclusivity(unchecked) @usableFromInline internal var row: Unmanaged<LatestRow<Value>>?

  @_alwaysEmitIntoClient
  internal init(_ place: Int) { self.place = place }

  @_alwaysEmitIntoClient
  package func replace(with value: Value) {
    let isFirst = isEmpty
    isEmpty = false
    row.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.replace(place, with: value, isFirst: isFirst) }
  }

  @usableFromInline
  package override func clear(of core: SerialSubscription) {
    isEmpty = true
    row.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.discard() }
  }
}
