// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct BooleanTests {
  private let first = ManualPublisher<Bool, TestError>()
  private let second = ManualPublisher<Bool, TestError>()

  @Test func `Toggle and not are the opposite`() {
    let (toggled, negated) = (Recorder<Bool, Never>(), Recorder<Bool, Never>(demand: .max(1)))
    [true, false].publisher.toggle().subscribe(toggled)
    [true, false].publisher.not().subscribe(negated)
    #expect(toggled.values == [false, true] && toggled.isFinished)
    #expect(negated.values == [false])
  }

  @Test func `The latest values of both decide, once both have one`() {
    let (both, either) = (Recorder<Bool, TestError>(), Recorder<Bool, TestError>())
    let (left, right) = (PassthroughSubject<Bool, TestError>(), PassthroughSubject<Bool, TestError>())
    left.and(right).subscribe(both)
    left.or(right).subscribe(either)
    left.send(true)
    #expect(both.values.isEmpty && either.values.isEmpty)
    for value in [false, true, false] { right.send(value) }
    left.send(false)
    #expect(both.values == [false, true, false, false])
    #expect(either.values == [true, true, true, false])
    left.send(completion: .finished)
    right.send(true)
    #expect(either.values.last == true && either.completions.isEmpty)
    right.send(completion: .finished)
    #expect(both.isFinished && either.isFinished)
  }

  @Test func `Demand goes to both, and a failure of one cancels the other`() {
    let recorder = Recorder<Bool, TestError>(demand: .max(2))
    first.and(second).subscribe(recorder)
    recorder.request(.max(1))
    #expect(first.subscription?.requests == [.max(2), .max(1)])
    #expect(second.subscription?.requests == [.max(2), .max(1)])
    second.send(completion: .failure(.oops))
    #expect(recorder.completions == [.failure(.oops)])
    #expect(first.subscription?.cancellations == 1)
  }

  @Test(arguments: ["finish", "fail", "cancel", "cancel one's subscriber"])
  func `Neither side keeps the other alive when the stream is over`(_ end: String) {
    var graveyard = Graveyard()
    do {
      let left = graveyard.watch(CurrentValueSubject<Bool, TestError>(true), "left")
      let right = graveyard.watch(CurrentValueSubject<Bool, TestError>(true), "right")
      let recorder = graveyard.watch(Recorder<Bool, TestError>(), "subscriber")
      left.and(right.not()).or(left.toggle()).subscribe(recorder)
      switch end {
      case "finish":
        left.send(completion: .finished)
        right.send(completion: .finished)
      case "fail": right.send(completion: .failure(.oops))
      default: recorder.cancel()
      }
      recorder.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `What is only held by the pipeline goes with it`() {
    var graveyard = Graveyard()
    let left = CurrentValueSubject<Bool, Never>(true)
    do {
      let right = graveyard.watch(CurrentValueSubject<Bool, Never>(true), "right")
      let cancellable = left.and(right).sink { _ in }
      #expect(graveyard.survivors == ["right"])
      cancellable.cancel()
    }
    #expect(graveyard.survivors.isEmpty)
  }
}
