// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The values that `collect` by time has not delivered.
@usableFromInline
internal struct TimedBuffer<Element> {
  @usableFromInline internal var elements: [Element] = []
  /// The size of a full array; `nil` if only the clock counts.
  @usableFromInline internal let count: Int?
  /// Whether upstream has finished, which downstream learns behind the last element.
  @usableFromInline internal var holdsEnd = false

  @inlinable
  internal init(count: Int?) { self.count = count }

  @inlinable
  internal var isFull: Bool { count.map { elements.count >= max($0, 1) } ?? false }

  /// Takes everything out.
  @inlinable
  internal mutating func takeAll() -> [Element] {
    var all: [Element] = []
    swap(&all, &elements)
    return all
  }

  /// Takes out an array of no more than the full size.
  @inlinable
  internal mutating func takeBatch() -> [Element] {
    guard let count, elements.count > max(count, 1) else { return takeAll() }
    let batch = Array(elements.prefix(max(count, 1)))
    elements.removeFirst(batch.count)
    return batch
  }
}

/// What `collect` by time has put into its line.
@usableFromInline
internal struct AppendedBatches<Element> {
  /// How many events: each needs a turn.
  @usableFromInline internal var turns = 0
  /// The arrays, so that one which came too late is freed when the lock has been released.
  @usableFromInline internal var batches: [[Element]] = []

  @inlinable
  internal init() {}
}
