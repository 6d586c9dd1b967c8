// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import Synchronization
import TestSupport
import Testing

/// Counts deliveries that begin during another one.
private final class Overlaps: Sendable {
  private let inside = Atomic<Int>(0)
  private let overlaps = Atomic<Int>(0)

  var count: Int { overlaps.load(ordering: .relaxed) }

  func pass() {
    if inside.add(1, ordering: .acquiringAndReleasing).oldValue != 0 { overlaps.add(1, ordering: .relaxed) }
    inside.subtract(1, ordering: .acquiringAndReleasing)
  }
}

// An `async` function may resume on another thread after an `await`. In a release build the code of `send` is inlined
// into it, so anything that is computed once for the whole function would belong to the wrong thread afterwards.
@Suite struct AsyncProducerTests {
  private func produce(_ passing: PassthroughSubject<Int, Never>, _ keeping: CurrentValueSubject<Int, Never>) async {
    for _ in 0..<1_000 {
      // Several sends in a row: with one, the optimiser has nothing to share.
      for number in 0..<20 {
        passing.send(number)
        keeping.send(number)
        if number.isMultiple(of: 5) { await Task.yield() }
      }
    }
  }

  @Test func `Tasks that send and change threads in between do not overlap`() async {
    let (passing, keeping) = (PassthroughSubject<Int, Never>(), CurrentValueSubject<Int, Never>(0))
    let (first, second) = (Overlaps(), Overlaps())
    let cancellables = [passing.sink { _ in first.pass() }, keeping.sink { _ in second.pass() }]
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 { group.addTask { await produce(passing, keeping) } }
    }
    #expect(first.count == 0 && second.count == 0)
    withExtendedLifetime(cancellables) {}
  }
}
