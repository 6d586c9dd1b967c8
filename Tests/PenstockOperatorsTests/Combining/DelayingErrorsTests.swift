// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

@Suite struct DelayingErrorsTests {
  private let first = ManualPublisher<Int, TestError>()
  private let second = ManualPublisher<Int, TestError>()
  private let one = TestError("one")
  private let two = TestError("two")

  // MARK: Merge

  @Test func `A failure waits for the other publisher, whose values still come`() {
    let recorder = Recorder<Int, CompositeFailure<TestError>>()
    first.mergeDelayingErrors(with: second).subscribe(recorder)
    first.send(1)
    first.send(completion: .failure(one))
    second.send(2)
    #expect(recorder.values == [1, 2])
    #expect(recorder.completions.isEmpty)
    second.send(completion: .finished)
    #expect(recorder.failures == [[one]])
  }

  @Test func `Both failures come, in the order in which they have arrived`() {
    let recorder = Recorder<Int, CompositeFailure<TestError>>()
    first.mergeDelayingErrors(with: second).subscribe(recorder)
    second.send(completion: .failure(two))
    first.send(completion: .failure(one))
    #expect(recorder.failures == [[two, one]])
  }

  @Test func `Without a failure it finishes`() {
    let recorder = Recorder<Int, CompositeFailure<TestError>>()
    first.mergeDelayingErrors(with: second).subscribe(recorder)
    first.send(completion: .finished)
    second.send(completion: .finished)
    #expect(recorder.isFinished)
  }

  @Test func `Failures of one subscriber are not those of the next`() {
    var failing = true
    let merged = Deferred { () -> AnyPublisher<Int, TestError> in
      failing ? Fail(error: .oops).eraseToAnyPublisher() : Empty().eraseToAnyPublisher()
    }
    .mergeDelayingErrors(with: Empty())
    let (early, late) = (Recorder<Int, CompositeFailure<TestError>>(), Recorder<Int, CompositeFailure<TestError>>())
    merged.subscribe(early)
    failing = false
    merged.subscribe(late)
    #expect(early.failures == [[.oops]])
    #expect(late.isFinished)
  }

  @Test func `A value that waits for demand comes before the failure`() {
    let recorder = Recorder<Int, CompositeFailure<TestError>>(demand: nil)
    Just(1).setFailureType(to: TestError.self).append(Fail(error: .oops))
      .mergeDelayingErrors(with: Just(2).setFailureType(to: TestError.self))
      .subscribe(recorder)
    #expect(recorder.completions.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.values.count == 1 && recorder.completions.isEmpty)
    recorder.request(.max(1))
    #expect(Set(recorder.values) == [1, 2])
    #expect(recorder.failures == [[.oops]])
  }

  @Test func `A cancel reaches both`() {
    let recorder = Recorder<Int, CompositeFailure<TestError>>()
    first.mergeDelayingErrors(with: second).subscribe(recorder)
    recorder.cancel()
    #expect(first.calls.contains(.cancelled) && second.calls.contains(.cancelled))
  }

  @Test func `Two that fail at the same time on two threads lose no failure`() {
    for _ in 0..<200 {
      let (a, b) = (PassthroughSubject<Int, TestError>(), PassthroughSubject<Int, TestError>())
      let recorder = Recorder<Int, CompositeFailure<TestError>>()
      a.mergeDelayingErrors(with: b).subscribe(recorder)
      onThreads([{ a.send(completion: .failure(TestError("a"))) }, { b.send(completion: .failure(TestError("b"))) }])
      #expect(Set(recorder.failures.first?.map(\.text) ?? []) == ["a", "b"])
    }
  }

  // MARK: Combine latest

  @Test func `Pairs with the latest value of one that has failed still come`() {
    let recorder = Recorder<String, CompositeFailure<TestError>>()
    first.combineLatestDelayingErrors(second).map { "\($0) \($1)" }.subscribe(recorder)
    first.send(1)
    first.send(completion: .failure(one))
    second.send(5)
    second.send(6)
    #expect(recorder.values == ["1 5", "1 6"])
    second.send(completion: .failure(two))
    guard case .failure(let failure) = recorder.completions.first else {
      Issue.record("it has not failed")
      return
    }
    #expect(failure.failures == [one, two])
    #expect("\(failure)" == "one, two")
  }

  @Test func `It completes when combineLatest would`() {
    let (first, second) = (PassthroughSubject<Int, TestError>(), PassthroughSubject<Int, TestError>())
    let delaying = Recorder<Int, CompositeFailure<TestError>>()
    let plain = Recorder<Int, TestError>()
    first.combineLatestDelayingErrors(second).map { $0 + $1 }.subscribe(delaying)
    first.combineLatest(second).map { $0 + $1 }.subscribe(plain)
    first.send(completion: .finished)
    #expect(delaying.completions.count == plain.completions.count)
    second.send(completion: .finished)
    #expect(delaying.isFinished && plain.isFinished)
  }
}

extension Recorder where Failure == CompositeFailure<TestError> {
  fileprivate var failures: [[TestError]] {
    completions.compactMap { if case .failure(let failure) = $0 { failure.failures } else { nil } }
  }
}
