// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Inner publishers of `flatMap` that start and end in any order: each one's end removes its own subscription and no
/// other.
@Suite struct FlatMapPlacesTests {
  typealias Source = ManualPublisher<Int, Never>

  private let upstream = Source()

  private func ended(_ streams: [Source]) -> [Int] {
    streams.indices.filter { streams[$0].calls.contains(.cancelled) }
  }

  @Test(arguments: [
    [0, 1, 2, 3], [3, 2, 1, 0], [1, 2], [2, 0, 3], [0, 3],
  ])
  func `A cancel reaches the streams that run, also those in the places of others`(_ finished: [Int]) {
    let streams = (0..<8).map { _ in Source() }
    let recorder = Recorder<Int, Never>()
    upstream.flatMap { streams[$0] }.subscribe(recorder)
    for number in 0..<4 { upstream.send(number) }
    for number in finished { streams[number].send(completion: .finished) }
    for number in 4..<7 { upstream.send(number) }
    streams[5].send(completion: .finished)
    upstream.send(7)
    recorder.cancel()
    #expect(ended(streams) == (0..<8).filter { $0 != 5 && !finished.contains($0) })
  }

  @Test func `A request for everything reaches the streams that had been asked for one value, once each`() {
    let streams = (0..<4).map { _ in Source() }
    let recorder = Recorder<Int, Never>(demand: .max(1))
    upstream.flatMap { streams[$0] }.subscribe(recorder)
    for number in 0..<3 { upstream.send(number) }
    streams[1].send(completion: .finished)
    recorder.request(.unlimited)
    upstream.send(3)
    recorder.request(.unlimited)
    let limited = [ManualSubscription.Call.requested(.max(1)), .requested(.unlimited)]
    #expect(streams.map(\.calls) == [limited, [.requested(.max(1))], limited, [.requested(.unlimited)]])
  }

  @Test func `Each stream whose value waits is asked for another when that has been delivered`() {
    let streams = (0..<4).map { _ in Source() }
    let recorder = Recorder<Int, Never>(demand: nil)
    upstream.flatMap { streams[$0] }.subscribe(recorder)
    for number in 0..<4 {
      upstream.send(number)
      streams[number].send(number)
    }
    streams[0].send(completion: .finished)
    streams[2].send(completion: .finished)
    recorder.request(.max(4))
    #expect(recorder.values == [0, 1, 2, 3])
    #expect(streams.map { $0.subscription!.requests.count } == [1, 2, 1, 2])
  }

  @Test func `After very many streams it takes more, and finishes when all have`() {
    let count = 3_000
    var streams = (0..<count).map { _ in PassthroughSubject<Int, Never>() }
    let recorder = Recorder<Int, Never>()
    upstream.flatMap { streams[$0] }.subscribe(recorder)
    for round in 0..<2 {
      for number in 0..<count { upstream.send(number) }
      for (number, stream) in streams.enumerated() { stream.send(number) }
      #expect(recorder.values.count == count * (round + 1))
      // From both ends, so that places become free in the middle and at the end.
      for number in 0..<count {
        streams[number.isMultiple(of: 2) ? number : count - number].send(completion: .finished)
      }
      streams = (0..<count).map { _ in PassthroughSubject<Int, Never>() }
    }
    upstream.send(0)
    upstream.send(completion: .finished)
    #expect(recorder.completions.isEmpty)
    streams[0].send(completion: .finished)
    #expect(recorder.completions == [.finished])
  }

  @Test func `Streams that their publishers have forgotten do not keep it`() {
    var graveyard = Graveyard()
    do {
      let canary = graveyard.watch(Canary(), "subscriber")
      let subscriber = AnySubscriber<Int, Never>(receiveValue: { _ in withExtendedLifetime(canary) { .none } })
      upstream.flatMap { _ in Empty<Int, Never>(completeImmediately: false) }.subscribe(subscriber)
      upstream.send(0)
      // This subscriber's value waits.
      upstream.flatMap { Just($0) }.subscribe(subscriber)
      upstream.send(0)
      upstream.releaseSubscribers()
    }
    #expect(graveyard.survivors.isEmpty)
  }
}
