// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// How many members of a ``ReplayFanOut`` are to be given which value next, by the values' numbers.
///
/// A ring that is indexed by number: to count costs an addition, and to add or to remove a value costs nothing. It has room
/// for each value of the log and for the one that is to come, at which those wait who have been given everything.
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

  /// How many values the log may have.
  @inlinable
  internal var capacity: Int { ring.count - 1 }

  /// Makes room for one more value.
  ///
  /// - Parameters:
  ///   - start: The number of the log's first value.
  ///   - end: The number of the value that is to come.
  @usableFromInline @inline(never)
  internal mutating func grow(from start: UInt, to end: UInt) {
    var larger = WaitingCounts()
    larger.ring = ContiguousArray(repeating: 0, count: ring.count * 2)
    for number in start...end { larger[number] = self[number] }
    self = larger
  }

  /// Forgets those who wait for values that have been removed.
  @usableFromInline
  internal mutating func forget(from start: UInt, to end: UInt) {
    for number in start..<end { self[number] = 0 }
  }
}
