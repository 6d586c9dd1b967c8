// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import TestSupport
import Testing

@Suite struct FlatMapAsyncTests {
  @Test(arguments: [Subscribers.Demand.max(1), .max(3), .unlimited])
  func `The values of all inner publishers come, in order one at a time`(_ maxPublishers: Subscribers.Demand) async {
    let probe = Probe<Int, Never>()
    (0..<50).publisher.flatMap(maxPublishers: maxPublishers) { number async in
      for _ in 0..<number % 5 { await Task.yield() }
      return [number * 2, number * 2 + 1].publisher
    }.subscribe(probe.recorder)
    #expect(await probe.completion() == .finished)
    let values = probe.recorder.values
    #expect((maxPublishers == .max(1) ? values : values.sorted()) == Array(0..<100))
    #expect(probe.isLawful)
  }

  @Test func `The closure and its publisher count as one, until the publisher has finished`() async {
    let work = Work()
    let inner = PassthroughSubject<Int, Never>()
    let upstream = ManualPublisher<Int, Never>()
    let probe = Probe<Int, Never>()
    upstream.flatMap(maxPublishers: .max(2)) { number async in
      await work.run(number)
      return inner
    }.subscribe(probe.recorder)
    #expect(upstream.calls == [.requested(.max(2))])
    upstream.send(1)
    upstream.send(2)
    for number in 1...2 { work.open(number) }
    #expect(
      await reached {
        let before = probe.count
        inner.send(0)
        return probe.count == before + 2
      })
    #expect(upstream.calls == [.requested(.max(2))])
    inner.send(completion: .finished)
    #expect(await reached { upstream.calls.count == 3 })
    #expect(upstream.calls.dropFirst() == [.requested(.max(1)), .requested(.max(1))])
    probe.recorder.cancel()
  }

  @Test func `Failures of the closure and of the inner publishers are forwarded, and cancel the rest`() async {
    let work = Work()
    let thrown = Probe<Int, TestError>()
    (1...2).publisher.setFailureType(to: TestError.self).flatMap {
      (number: Int) async throws(TestError) -> Future<Int, TestError> in
      if number == 2 { throw TestError.oops }
      await work.run(number)
      return Future { number }
    }.subscribe(thrown.recorder)
    #expect(await thrown.completion() == .failure(.oops))
    #expect(await reached { work.ended == work.started })
    let failed = Probe<Int, TestError>()
    [1].publisher.flatMap { _ async in Fail<Int, TestError>(error: .oops) }.subscribe(failed.recorder)
    #expect(await failed.completion() == .failure(.oops))
    let either = Probe<Int, TestError>()
    [1].publisher.flatMap { (_: Int) async throws(TestError) -> Future<Int, TestError> in throw .oops }
      .subscribe(either.recorder)
    #expect(await either.completion() == .failure(.oops))
  }

  @Test func `A closure that awaits nothing is Combine's`() {
    let publisher = [1].publisher.flatMap { Just($0) }
    #expect(
      type(of: publisher) == Publishers.FlatMap<Just<Int>, Publishers.Sequence<[Int], Never>>.self)
  }

  @Test func `A cancel reaches the tasks and the inner publishers`() async {
    let work = Work()
    let inner = CountedPublisher<Int, Never>()
    let probe = Probe<Int, Never>()
    (1...3).publisher.flatMap { number async in
      if number > 1 { await work.run(number) }
      return inner
    }.subscribe(probe.recorder)
    #expect(await reached { work.started.count == 2 && inner.subscribed.value == 1 })
    probe.recorder.cancel()
    #expect(inner.cancelled.value == 1)
    #expect(await reached { work.ended.count == 2 })
    #expect(work.cancelled.count == 2)
    #expect(inner.subscribed.value == 1)
  }
}
