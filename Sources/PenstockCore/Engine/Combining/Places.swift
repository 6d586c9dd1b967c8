// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The places of upstreams, a bit for each, of which the lowest is taken first.
///
/// Its methods are not inlined: they run only while demand is short, and are the same for all types of values.
@usableFromInline
package struct Places {
  private var words: [UInt] = []
  @usableFromInline package private(set) var count = 0

  package init() {}

  /// Adds a place that is not there yet.
  @usableFromInline
  package mutating func insert(_ place: Int) {
    let (word, bit) = place.quotientAndRemainder(dividingBy: UInt.bitWidth)
    while word >= words.count { words.append(0) }
    words[word] |= 1 << UInt(bit)
    count += 1
  }

  @usableFromInline
  package mutating func popMin() -> Int? {
    guard let word = words.firstIndex(where: { $0 != 0 }) else { return nil }
    let bit = words[word].trailingZeroBitCount
    words[word] &= words[word] - 1
    count -= 1
    return word * UInt.bitWidth + bit
  }
}
