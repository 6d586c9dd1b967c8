// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct FlatMapBatchesTests {
  private typealias Source = ManualPublisher<Int, TestError>

  @Test(
    arguments: [
      (0, 2, []), (1, 2, [[1]]), (2, 2, [[1, 2]]), (5, 2, [[1, 2], [3, 4], [5]]), (3, 1, [[1], [2], [3]]),
      (3, 9, [[1, 2, 3]]),
    ] as [(Int, Int, [[Int]])])
  func `The values of each batch are published together`(_ publishers: Int, _ count: Int, _ expected: [[Int]]) {
    let recorder = Recorder<[Int], Never>()
    (0..<publishers).map { Just($0 + 1) }.flatMapBatches(of: count).subscribe(recorder)
    #expect(recorder.values == expected && recorder.isFinished)
  }

  @Test func `A batch runs at the same time, its values stand in order, and the next one follows`() {
    let sources = (0..<3).map { _ in Source() }
    let recorder = Recorder<[Int], TestError>()
    sources.flatMapBatches(of: 2).subscribe(recorder)
    #expect(sources.map(\.subscribers.count) == [1, 1, 0])
    sources[1].send(21)
    sources[0].send(11)
    sources[1].send(22)
    sources[1].send(completion: .finished)
    sources[0].send(12)
    #expect(recorder.values.isEmpty)
    sources[0].send(completion: .finished)
    #expect(recorder.values == [[11, 12, 21, 22]])
    #expect(sources.map(\.subscribers.count) == [1, 1, 1])
    sources[2].send(completion: .finished)
    #expect(recorder.values == [[11, 12, 21, 22], []] && recorder.isFinished)
  }

  @Test func `Everything is requested of the publishers of a batch`() {
    let sources = (0..<2).map { _ in Source() }
    let recorder = Recorder<[Int], TestError>(demand: .max(1))
    sources.flatMapBatches(of: 2).subscribe(recorder)
    sources[1].send(1)
    sources[0].send(2)
    #expect(sources.map(\.calls) == [[.requested(.unlimited)], [.requested(.unlimited)]])
  }

  @Test func `The next batch waits until the array of the one before has been delivered`() {
    let sources = (0..<2).map { _ in Source() }
    let recorder = Recorder<[Int], TestError>(demand: nil)
    sources.flatMapBatches(of: 1).subscribe(recorder)
    sources[0].send(1)
    sources[0].send(completion: .finished)
    #expect(sources[1].subscribers.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.values == [[1]])
    #expect(sources[1].subscribers.count == 1)
  }

  @Test func `A failure ends everything`() {
    let sources = (0..<3).map { _ in Source() }
    let recorder = Recorder<[Int], TestError>()
    sources.flatMapBatches(of: 2).subscribe(recorder)
    sources[0].send(1)
    sources[1].send(completion: .failure(.oops))
    #expect(recorder.values.isEmpty && recorder.completions == [.failure(.oops)])
    #expect(sources[0].subscription?.cancellations == 1)
    #expect(sources[2].subscribers.isEmpty)
  }

  @Test func `A cancel reaches the batch that runs`() {
    let sources = (0..<3).map { _ in Source() }
    let recorder = Recorder<[Int], TestError>()
    sources.flatMapBatches(of: 2).subscribe(recorder)
    recorder.cancel()
    #expect(sources.map { $0.subscribers.isEmpty ? 0 : $0.subscription!.cancellations } == [1, 1, 0])
  }

  @Test func `A count below one traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = [Just(1)].flatMapBatches(of: 0)
    }
    expectMessage(result, "flatMapBatches(of:) takes a count of 1 or more")
  }
}
