// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct ApplyTests {
  @Test func `The function is called once, and its publisher is the result`() {
    var calls = 0
    let doubled: Publishers.Map<PassthroughSubject<Int, Never>, Int> = PassthroughSubject<Int, Never>().apply {
      calls += 1
      return $0.map { $0 * 2 }
    }
    let recorders = [Recorder<Int, Never>(), Recorder<Int, Never>()]
    for recorder in recorders { doubled.subscribe(recorder) }
    doubled.upstream.send(2)
    #expect(recorders.map(\.values) == [[4], [4]])
    #expect(calls == 1)
  }

  @Test func `What the function throws is thrown`() {
    #expect(throws: TestError.oops) {
      try Just(1).apply { (_: Just<Int>) throws -> Just<Int> in throw TestError.oops }
    }
  }
}
