// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct MapErrorTests {
  private struct Wrapped: Error, Equatable { var cause: TestError }

  @Test func `A failure is transformed, once`() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, Wrapped>()
    var calls = 0
    source.mapError { error in
      calls += 1
      return Wrapped(cause: error)
    }.subscribe(recorder)
    source.send(1)
    #expect(calls == 0)
    source.send(completion: .failure(.oops))
    #expect(calls == 1)
    #expect(
      recorder.events == [.subscription("ManualSubscription"), .value(1), .completion(.failure(Wrapped(cause: .oops)))])
  }

  @Test func `Finishing is not a failure`() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, Wrapped>()
    source.mapError { error -> Wrapped in
      Issue.record("transformed")
      return Wrapped(cause: error)
    }.subscribe(recorder)
    source.send(completion: .finished)
    #expect(recorder.completions == [.finished])
  }

  @Test func `Both initialisers keep upstream and closure`() {
    let source = ManualPublisher<Int, TestError>()
    let labelled = Publishers.MapError(upstream: source, transform: Wrapped.init)
    let unlabelled = Publishers.MapError(upstream: source, Wrapped.init)
    for mapped in [labelled, unlabelled] {
      #expect(mapped.upstream === source)
      #expect(mapped.transform(.oops) == Wrapped(cause: .oops))
    }
  }
}
