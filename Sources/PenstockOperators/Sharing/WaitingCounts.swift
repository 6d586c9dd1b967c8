// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Counts, for each value of a ``ReplayLog``, the members that receive that value next.
///
/// A ring indexed by the values' numbers: counting a member is an addition, and adding or removing a value costs
/// nothing. It has one slot for each value of the log, and one for the next value, where the members that have received
/// everything wait.
@usableFromInline
internal struct WaitingCounts {
  @usableFromInline internal private(set) var ring: ContiguousArray<Int> = [0, 0]

  @usableFromInline
  internal init() {}

  @inlinable
  internal subscript(number: UInt) -> Int {
    get { ring[Int(number & UInt(ring.count - 1))] }
    set { ring[Int(number & UInt(ring.count - 1))] = newValue }
  }

  /// The number of values that the log may hold.
  @inlinable
  internal var capacity: Int { ring.count - 1 }

  /// Makes room for one more value.
  ///
  /// - Parameters:
  ///   - start: The number of the log's first value.
  ///   - end: The number of the next value before the log grew.
  @usableFromInline @inline(never)
  internal mutating func grow(from start: UInt, to end: UInt) {
    var larger = WaitingCounts()
    larger.ring = ContiguousArray(repeating: 0, count: ring.count * 2)
    for number in start...end { larger[number] = self[number] }
    self = larger
  }

  /// Resets the counts of values that have been removed.
  @usableFromInline
  internal mutating func reset(from start: UInt, to end: UInt) {
    for number in start..<end { self[number] = 0 }
  }
}
