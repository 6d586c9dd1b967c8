// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import DequeModule
internal import PenstockCore

/// The values that `collect` by count, weight and time has not delivered yet, in batches.
///
/// The values that have been requested and have not arrived, and those that have arrived and have not been delivered,
/// are together as many as one batch may have. So there are several batches only if each of them is full by weight.
@usableFromInline
internal struct WeightedBatches<Element> {
  /// What a value has changed.
  @usableFromInline
  internal enum Change {
    /// The value is in the batch that is open.
    case joined
    /// It is the first of the batch that is open. If a batch is now complete, the value did not fit into that one.
    case began(number: UInt, completesAnother: Bool)
    /// It is the last of a batch, and no batch is open.
    case completed
  }

  @usableFromInline internal let count: Int
  @usableFromInline internal let maxWeight: Int

  /// Batches that take no more values.
  @usableFromInline internal var complete: Deque<[Element]> = []
  /// The batch that takes more values; empty if there is none.
  @usableFromInline internal var open: [Element] = []
  @usableFromInline internal var openWeight = 0
  /// The number of the open batch, or of the last one that was open.
  @usableFromInline internal var openNumber: UInt = 0
  /// Whether the time of the open batch is over.
  @usableFromInline internal var isDue = false

  /// How many values have been requested from upstream and have not arrived.
  @usableFromInline internal var expected: Int
  /// How many values have arrived and have not been delivered.
  @usableFromInline internal var held = 0
  /// The size of the batch that is being delivered, or zero; the next batch follows it.
  @usableFromInline internal var leaving = 0

  /// Whether upstream has finished, and `.finished` follows the last batch.
  @usableFromInline internal var holdsEnd = false
  /// Whether a block is taking turns, and will look for the next batch after the current delivery.
  @usableFromInline internal var isTakingTurns = false

  @inlinable
  internal init(count: Int, maxWeight: Int) {
    self.count = count
    self.maxWeight = maxWeight
    expected = count
  }

  // MARK: Values that arrive

  @inlinable
  internal mutating func append(_ element: Element, weight: Int) -> Change {
    // An upstream may deliver what was not requested.
    expected = max(0, expected - 1)
    held += 1
    // While a batch is open, it weighs less than the maximum.
    let isTooMuch = !open.isEmpty && weight > maxWeight - openWeight
    if isTooMuch { complete.append(exchange(&open, with: [])) }
    let begins = open.isEmpty
    if begins {
      openWeight = 0
      openNumber &+= 1
      isDue = false
    }
    open.append(element)
    openWeight += weight
    if open.count == count || openWeight >= maxWeight {
      complete.append(exchange(&open, with: []))
      return .completed
    }
    return begins ? .began(number: openNumber, completesAnother: isTooMuch) : .joined
  }

  // MARK: Batches that leave

  /// Whether the first batch may be delivered, once it is requested.
  @inlinable
  internal var isReady: Bool {
    leaving == 0 && (!complete.isEmpty || !open.isEmpty && (isDue || holdsEnd))
  }

  /// Removes the first batch, which is going to be delivered.
  @inlinable
  internal mutating func takeFirst() -> [Element] {
    let batch = complete.popFirst() ?? exchange(&open, with: [])
    leaving = batch.count
    return batch
  }

  /// - Returns: Whether the completion has to be delivered after what has been taken.
  @inlinable
  internal mutating func takeEnd() -> Bool {
    guard holdsEnd, complete.isEmpty, open.isEmpty else { return false }
    holdsEnd = false
    return true
  }

  /// Called when the batch that was taken has been delivered.
  ///
  /// - Returns: How many values to request from upstream.
  @inlinable
  internal mutating func noteDelivery() -> Int {
    held -= exchange(&leaving, with: 0)
    let room = max(0, count - held - expected)
    expected += room
    return room
  }

  /// Removes all values that have not been taken.
  @inlinable
  internal mutating func takeAll() -> [Element] {
    let all = complete.joined() + open
    complete = []
    open = []
    return all
  }
}
