// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct ConcatMapTests {
  private let source = ManualPublisher<Int, TestError>()
  private let inner = (0..<3).map { _ in ManualPublisher<String, TestError>() }

  private func subscribe(_ recorder: Recorder<String, TestError>) {
    source.concatMap { [inner] in inner[$0] }.subscribe(recorder)
  }

  @Test func `The next value is requested when the publisher of the one before has finished`() {
    let recorder = Recorder<String, TestError>()
    subscribe(recorder)
    #expect(source.calls == [.requested(.max(1))])
    #expect(source.send(0) == .none)
    inner[0].send("a")
    inner[0].send("b")
    #expect(source.calls.count == 1)
    inner[0].send(completion: .finished)
    #expect(source.calls == [.requested(.max(1)), .requested(.max(1))])
    source.send(1)
    inner[1].send("c")
    source.send(completion: .finished)
    #expect(recorder.completions.isEmpty)
    inner[1].send(completion: .finished)
    #expect(recorder.values == ["a", "b", "c"])
    #expect(recorder.isFinished)
    #expect(recorder.subscriptionTexts == ["ConcatMap"])
  }

  @Test func `While a value waits, upstream is not asked for the next, even if its publisher has finished`() {
    let recorder = Recorder<String, TestError>(demand: nil)
    subscribe(recorder)
    source.send(0)
    inner[0].send("a")
    inner[0].send(completion: .finished)
    #expect(source.calls == [.requested(.max(1))])
    recorder.request(.max(1))
    #expect(recorder.values == ["a"])
    #expect(source.calls == [.requested(.max(1)), .requested(.max(1))])
    source.send(1)
    inner[1].send("b")
    #expect(recorder.values == ["a"])
  }

  @Test(arguments: [Subscribers.Demand.max(1), .max(7)])
  func `Values that come at once do not pile up`(_ demand: Subscribers.Demand) {
    var taken = 0
    let recorder = Recorder<Int, Never>(demand: demand)
    (0..<1_000).publisher.handleEvents(receiveOutput: { _ in taken += 1 })
      .concatMap { Just($0) }.subscribe(recorder)
    #expect(recorder.values == Array(0..<(demand.max ?? 0)))
    #expect(taken == (demand.max ?? 0) + 1)
    recorder.request(.max(2))
    #expect(taken == (demand.max ?? 0) + 3)
  }

  @Test func `A hundred thousand publishers that deliver at once do not overflow the stack`() {
    for demand in [Subscribers.Demand.unlimited, .max(1)] {
      let recorder = Recorder<Int, Never>(demand: demand, answering: .max(1))
      (0..<100_000).publisher.concatMap { Just($0) }.subscribe(recorder)
      #expect(recorder.values == Array(0..<100_000))
      #expect(recorder.isFinished)
    }
  }

  @Test(arguments: [true, false])
  func `A failure of either fails the stream and cancels the other`(_ isInner: Bool) {
    let recorder = Recorder<String, TestError>()
    subscribe(recorder)
    source.send(0)
    if isInner { inner[0].send(completion: .failure(.oops)) } else { source.send(completion: .failure(.oops)) }
    #expect(recorder.completions == [.failure(.oops)])
    #expect(source.subscription?.cancellations == (isInner ? 1 : 0))
    #expect(inner[0].subscription?.cancellations == (isInner ? 0 : 1))
  }
}
