// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

/// `switchIfEmpty` and `andThen`.
@Suite struct SuccessorTests {
  private let source = ManualPublisher<Int, TestError>()
  private let other = ManualPublisher<Int, TestError>()

  @Test func `switchIfEmpty: a publisher without values is followed by the other`() {
    let recorder = Recorder<Int, TestError>(demand: .max(2))
    source.switchIfEmpty(other).subscribe(recorder)
    #expect(other.subscribers.isEmpty)
    source.send(completion: .finished)
    #expect(other.calls == [.requested(.max(2))])
    other.send(1)
    other.send(completion: .finished)
    #expect(recorder.values == [1])
    #expect(recorder.completions == [.finished])
    #expect(recorder.subscriptions.count == 1)
  }

  @Test func `switchIfEmpty: one with values is not`() {
    let recorder = Recorder<Int, TestError>()
    source.switchIfEmpty(other).subscribe(recorder)
    source.send(1)
    source.send(completion: .finished)
    #expect(recorder.values == [1])
    #expect(recorder.isFinished)
    #expect(other.subscribers.isEmpty)
  }

  @Test func `switchIfEmpty: an empty successor is not followed by itself`() {
    let recorder = Recorder<Int, TestError>()
    source.switchIfEmpty(other).subscribe(recorder)
    source.send(completion: .finished)
    other.send(completion: .finished)
    #expect(recorder.isFinished)
    #expect(other.subscribers.count == 1)
  }

  @Test func `switchIfEmpty: a failure is forwarded`() {
    let recorder = Recorder<Int, TestError>()
    source.switchIfEmpty(other).subscribe(recorder)
    source.send(completion: .failure(.oops))
    #expect(recorder.completions == [.failure(.oops)])
    #expect(other.subscribers.isEmpty)
  }

  @Test func `switchIfEmpty: each subscription decides for itself`() {
    var isEmpty = true
    let publisher = Deferred { isEmpty ? [].publisher : [1].publisher }.switchIfEmpty(Just(9))
    let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    publisher.subscribe(first)
    isEmpty = false
    publisher.subscribe(second)
    #expect(first.values == [9])
    #expect(second.values == [1])
  }

  @Test func `switchIfEmpty: a hundred thousand after each other do not overflow the stack`() {
    var chain = Empty<Int, Never>().eraseToAnyPublisher()
    for _ in 0..<1_000 { chain = Empty<Int, Never>().switchIfEmpty(chain).eraseToAnyPublisher() }
    let recorder = Recorder<Int, Never>()
    chain.switchIfEmpty(Just(1)).subscribe(recorder)
    #expect(recorder.values == [1])
  }

  @Test func `andThen: the values of the first are dropped, and replaced in its demand`() {
    let recorder = Recorder<Int, TestError>(demand: .max(2))
    source.andThen(other).subscribe(recorder)
    #expect(source.calls == [.requested(.max(2))])
    #expect(source.send(1) == .max(1))
    #expect(source.send(2) == .max(1))
    #expect(other.subscribers.isEmpty)
    source.send(completion: .finished)
    #expect(other.calls == [.requested(.max(2))])
    other.send(3)
    other.send(completion: .finished)
    #expect(recorder.values == [3])
    #expect(recorder.isFinished)
  }

  @Test func `andThen: after a failure the other is not subscribed to`() {
    let recorder = Recorder<Int, TestError>()
    source.andThen(other).subscribe(recorder)
    source.send(completion: .failure(.oops))
    #expect(recorder.completions == [.failure(.oops)])
    #expect(other.subscribers.isEmpty)
  }
}
