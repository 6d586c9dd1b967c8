// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct PartitionTests {
  @Test func `Each value goes to one of the two, over one subscription`() {
    let source = ManualPublisher<Int, TestError>()
    let (even, odd) = source.partition { $0.isMultiple(of: 2) }
    let (evens, odds) = (Recorder<Int, TestError>(), Recorder<Int, TestError>())
    even.subscribe(evens)
    odd.subscribe(odds)
    #expect(source.subscribers.count == 1)
    (1...5).forEach { source.send($0) }
    #expect(evens.values == [2, 4])
    #expect(odds.values == [1, 3, 5])
    source.send(completion: .failure(.oops))
    #expect(evens.completions == [.failure(.oops)])
    #expect(odds.completions == [.failure(.oops)])
  }

  @Test func `Upstream is cancelled with the second`() {
    let source = ManualPublisher<Int, TestError>()
    let (even, odd) = source.partition { $0.isMultiple(of: 2) }
    let (evens, odds) = (Recorder<Int, TestError>(), Recorder<Int, TestError>())
    even.subscribe(evens)
    odd.subscribe(odds)
    evens.cancel()
    source.send(1)
    #expect(source.subscription?.cancellations == 0)
    odds.cancel()
    #expect(odds.values == [1])
    #expect(source.subscription?.cancellations == 1)
  }
}
