// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

internal import Synchronization

/// The latest signals of a link, without their values: the kind and the time of each.
///
/// One thread at a time appends, and any may read meanwhile: each entry is one atomic word.
package final class SignalRing: @unchecked Sendable {
  // `@unchecked`: the words are atomic, and their address does not change.

  package enum Kind: UInt, Sendable {
    case value, completion
  }

  package struct Signal: Sendable {
    package let kind: Kind
    /// In nanoseconds, of ``coarseTime()``.
    package let time: UInt
  }

  /// The number of signals that are kept.
  package static var size: Int { 32 }

  private let words: UnsafeMutablePointer<AtomicCell<UInt>>
  private let count = AtomicCell<UInt>(0)

  package init() {
    words = .allocate(capacity: Self.size)
    for index in 0..<Self.size { (words + index).initialize(to: AtomicCell(0)) }
  }

  deinit {
    words.deinitialize(count: Self.size)
    words.deallocate()
  }

  package func append(_ kind: Kind) {
    let count = count.load(ordering: .relaxed)
    words[Int(count % UInt(Self.size))].store(coarseTime() << 1 | kind.rawValue, ordering: .relaxed)
    self.count.store(count &+ 1, ordering: .releasing)
  }

  /// The signals, the oldest first.
  package var signals: [Signal] {
    let count = count.load(ordering: .acquiring)
    let kept = min(count, UInt(Self.size))
    return (count - kept..<count).map { index in
      let word = words[Int(index % UInt(Self.size))].load(ordering: .relaxed)
      return Signal(kind: Kind(rawValue: word & 1).unsafelyUnwrapped, time: word >> 1)
    }
    // Signals that have been replaced meanwhile are newer than they should be here.
    .reduce(into: []) { signals, next in if next.time >= signals.last?.time ?? 0 { signals.append(next) } }
  }
}
