// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// A sequence whose iterator changes a buffer of its own, and copies the buffer first if it is shared.
private struct Buffered: Sequence {
  let copies = Locked(0)

  final class Buffer {}

  struct Iterator: IteratorProtocol {
    let copies: Locked<Int>
    var buffer = Buffer()
    var position = 0

    mutating func next() -> Int? {
      if !isKnownUniquelyReferenced(&buffer) {
        buffer = Buffer()
        copies.change { $0 += 1 }
      }
      guard position < 100 else { return nil }
      defer { position += 1 }
      return position
    }
  }

  func makeIterator() -> Iterator { Iterator(copies: copies) }
}

@Suite struct SequenceLoopTests {
  /// For every kind of request, so that the cost of an element does not grow with the iterator's buffer.
  @Test(arguments: ["unlimited", "returned", "requested within", "requested from outside"])
  func `The iterator is not shared while it is used`(_ road: String) {
    let sequence = Buffered()
    let recorder = Recorder<Int, Never>(demand: road == "unlimited" ? .unlimited : .max(1))
    recorder.onValue = { _ in
      if road == "requested within" { recorder.request(.max(1)) }
      return road == "returned" ? .max(1) : .none
    }
    sequence.publisher.subscribe(recorder)
    if road == "requested from outside" { for _ in 0..<99 { recorder.request(.max(1)) } }
    #expect(recorder.values == Array(0..<100))
    #expect(recorder.isFinished)
    #expect(sequence.copies.value == 0)
  }
}
