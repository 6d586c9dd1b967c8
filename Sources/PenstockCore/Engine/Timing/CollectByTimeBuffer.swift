// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The values that `collect` by time has not delivered yet.
@usableFromInline
internal struct CollectByTimeBuffer<Element>: ~Copyable {
  @usableFromInline internal var elements: [Element] = []
  /// The size of a full array; `nil` if only time limits it.
  @usableFromInline internal let count: Int?
  /// Whether upstream has finished; `.finished` is delivered after the last element.
  @usableFromInline internal var holdsEnd = false

  @_alwaysEmitIntoClient
  internal init(count: Int?) { self.count = count }

  @_alwaysEmitIntoClient
  internal var isFull: Bool { count.map { elements.count >= max($0, 1) } ?? false }

  /// Removes all elements.
  @_alwaysEmitIntoClient
  internal mutating func takeAll() -> [Element] {
    var all: [Element] = []
    swap(&all, &elements)
    return all
  }

  /// Removes one array, of the full size at most.
  @inlinable
  internal mutating func takeBatch() -> [Element] {
    guard let count, elements.count > max(count, 1) else { return takeAll() }
    let batch = Array(elements.prefix(max(count, 1)))
    elements.removeFirst(batch.count)
    return batch
  }
}

/// The events that `collect` by time has appended to its queue in one step.
@usableFromInline
internal struct AppendedBatches<Element> {
  /// The number of events; each needs a turn.
  @usableFromInline internal var turns = 0
  /// The arrays of these events, returned so that an array that came too late is released outside the lock.
  @usableFromInline internal var batches: [[Element]] = []

  @_alwaysEmitIntoClient
  internal init() {}
}
