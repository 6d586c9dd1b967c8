// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct SetFailureTypeTests {
  private enum Other: Error { case error }

  @Test func `Values and the end go through`() {
    let recorder = Recorder<Int, TestError>()
    Publishers.SetFailureType<_, TestError>(upstream: Just(1)).subscribe(recorder)
    #expect(recorder.events == [.subscription("Just"), .value(1), .completion(.finished)])
  }

  @Test func `Applied again, it replaces the type and adds no link`() {
    let source = ManualPublisher<Int, Never>()
    let twice: Publishers.SetFailureType<ManualPublisher<Int, Never>, Other> =
      source.setFailureType(to: TestError.self).setFailureType(to: Other.self)
    #expect(twice.upstream === source)
  }

  @Test func `Two are equal when their upstreams are`() {
    typealias Typed = Publishers.SetFailureType<Just<Int>, TestError>
    #expect(Typed(upstream: Just(1)) == Typed(upstream: Just(1)))
    #expect(Typed(upstream: Just(1)) != Typed(upstream: Just(2)))
  }
}
