// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

/// `combineLatest`, `zip`, `merge` and `concat` of collections.
@Suite struct CollectionTests {
  private let sources = (0..<3).map { _ in ManualPublisher<Int, TestError>() }

  @Test func `combineLatest publishes the latest of each, once there is one of each`() {
    let recorder = Recorder<[Int], TestError>()
    sources.combineLatest().subscribe(recorder)
    sources[0].send(1)
    sources[2].send(3)
    sources[0].send(10)
    #expect(recorder.values.isEmpty)
    sources[1].send(2)
    sources[2].send(30)
    #expect(recorder.values == [[10, 2, 3], [10, 2, 30]])
    for source in sources {
      #expect(recorder.completions.isEmpty)
      source.send(completion: .finished)
    }
    #expect(recorder.completions == [.finished])
  }

  @Test func `What combineLatest has delivered stays as it was`() {
    let (left, right) = (CurrentValueSubject<Int, Never>(1), CurrentValueSubject<Int, Never>(2))
    let recorder = Recorder<[Int], Never>()
    [left, right].combineLatest().subscribe(recorder)
    recorder.onValue = { _ in
      if left.value < 3 { left.value += 1 }
      return .none
    }
    right.value = 5
    #expect(recorder.values == [[1, 2], [1, 5]])
    left.value = 9
    #expect(recorder.values == [[1, 2], [1, 5], [9, 5]])
  }

  @Test func `combineLatest without demand keeps the newest`() {
    let recorder = Recorder<[Int], TestError>(demand: .max(1))
    sources.combineLatest().subscribe(recorder)
    for (place, source) in sources.enumerated() { source.send(place) }
    sources[0].send(7)
    #expect(recorder.values == [[0, 1, 2]])
    recorder.request(.max(1))
    #expect(sources[1].subscription?.requests == [.max(1), .max(1)])
    sources[1].send(8)
    #expect(recorder.values == [[0, 1, 2], [7, 8, 2]])
  }

  @Test func `zip publishes the first of each, then the second`() {
    let recorder = Recorder<[Int], TestError>()
    sources.zip().subscribe(recorder)
    sources[0].send(1)
    sources[0].send(11)
    sources[2].send(3)
    sources[1].send(2)
    sources[1].send(12)
    #expect(recorder.values == [[1, 2, 3]])
    sources[0].send(completion: .finished)
    #expect(recorder.completions.isEmpty)
    sources[2].send(13)
    #expect(recorder.values == [[1, 2, 3], [11, 12, 13]])
    #expect(recorder.completions == [.finished])
    #expect(sources[1].subscription?.cancellations == 1)
  }

  @Test(arguments: [0, 1, 2])
  func `A failure of any ends all, and cancels the others`(_ place: Int) {
    let (combined, zipped) = (Recorder<[Int], TestError>(), Recorder<[Int], TestError>())
    let others = (0..<3).map { _ in ManualPublisher<Int, TestError>() }
    sources.combineLatest().subscribe(combined)
    others.zip().subscribe(zipped)
    for list in [sources, others] {
      list[0].send(1)
      list[place].send(completion: .failure(.oops))
      for (number, source) in list.enumerated() where number != place {
        #expect(source.subscription?.cancellations == 1)
      }
    }
    #expect(combined.completions == [.failure(.oops)])
    #expect(zipped.completions == [.failure(.oops)])
  }

  @Test func `An empty list finishes, with a subscription`() {
    let none = [Just<Int>]()
    let (combined, zipped) = (Recorder<[Int], Never>(demand: nil), Recorder<[Int], Never>(demand: nil))
    let (merged, concatenated) = (Recorder<Int, Never>(demand: nil), Recorder<Int, Never>(demand: nil))
    none.combineLatest().subscribe(combined)
    none.zip().subscribe(zipped)
    none.merge().subscribe(merged)
    none.concat().subscribe(concatenated)
    #expect(combined.isFinished && zipped.isFinished && merged.isFinished && concatenated.isFinished)
    #expect(combined.subscriptions.count == 1 && zipped.subscriptions.count == 1)
  }

  @Test func `concat subscribes to the next when the last value of the one before it has been delivered`() {
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    sources.concat().subscribe(recorder)
    sources[0].send(1)
    sources[0].send(2)
    sources[0].send(completion: .finished)
    #expect(recorder.values == [1])
    #expect(sources[1].subscribers.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2])
    #expect(sources[1].subscribers.count == 1)
    #expect(sources[2].subscribers.isEmpty)
    sources[1].send(completion: .failure(.oops))
    #expect(recorder.completions == [.failure(.oops)])
    #expect(sources[2].subscribers.isEmpty)
  }

  @Test(arguments: [Subscribers.Demand.max(0), .max(1), .max(3)])
  func `concat of values takes no more of the list than is wanted, and one in advance`(_ demand: Subscribers.Demand) {
    var subscribed = 0
    let list = (0..<100).map { number in
      Deferred {
        subscribed += 1
        return Just(number)
      }
    }
    let recorder = Recorder<Int, Never>(demand: demand == .none ? nil : demand)
    list.concat().subscribe(recorder)
    #expect(recorder.values == Array(0..<(demand.max ?? 0)))
    #expect(subscribed <= (demand.max ?? 0) + 1)
  }

  @Test func `A hundred thousand publishers neither overflow the stack nor take squared time`() {
    let count = 100_000
    let subjects = (0..<count).map { CurrentValueSubject<Int, Never>($0) }
    let (combined, zipped) = (Recorder<[Int], Never>(), Recorder<[Int], Never>())
    var first: [Int] = []
    var updates = 0
    let cancellable = subjects.combineLatest().sink { values in
      if updates == 0 { first = values }
      updates += 1
    }
    #expect(first == Array(0..<count))
    // Each value costs the same as with a few publishers: the array is changed in place.
    for value in 1...10_000 { subjects[value].value = -value }
    #expect(updates == 10_001)
    cancellable.cancel()

    (0..<count).map { Just($0) }.combineLatest().subscribe(combined)
    (0..<count).map { Just($0) }.zip().subscribe(zipped)
    #expect(combined.values == [Array(0..<count)] && combined.isFinished)
    #expect(zipped.values == [Array(0..<count)] && zipped.isFinished)

    let (merged, concatenated, fastest) = (Recorder<Int, Never>(), Recorder<Int, Never>(), Recorder<Int, Never>())
    (0..<count).map { Just($0) }.merge().subscribe(merged)
    (0..<count).map { Just($0) }.concat().subscribe(concatenated)
    (0..<count).map { _ in Empty<Int, Never>(completeImmediately: false) }.amb().subscribe(fastest)
    #expect(merged.values == Array(0..<count) && merged.isFinished)
    #expect(concatenated.values == Array(0..<count) && concatenated.isFinished)
    fastest.cancel()
  }

  @Test func `Nothing is left`() {
    var graveyard = Graveyard()
    do {
      let subjects = (0..<3).map { graveyard.watch(PassthroughSubject<Canary, TestError>(), "upstream \($0)") }
      let combined = graveyard.watch(Recorder<[Canary], TestError>(demand: nil), "downstream of combineLatest")
      let zipped = graveyard.watch(Recorder<[Canary], TestError>(demand: .max(1)), "downstream of zip")
      subjects.combineLatest().subscribe(combined)
      subjects.zip().subscribe(zipped)
      for subject in subjects.dropLast() { subject.send(graveyard.watch(Canary(), "value")) }
      combined.cancel()
      zipped.cancel()
      combined.releaseSubscriptions()
      zipped.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `Values from several threads are all there`() {
    for _ in 0..<20 {
      let subjects = (0..<4).map { _ in PassthroughSubject<Int, Never>() }
      let (combined, zipped) = (Recorder<[Int], Never>(), Recorder<[Int], Never>())
      subjects.combineLatest().subscribe(combined)
      subjects.zip().subscribe(zipped)
      onThreads(4) { thread in
        for value in 0..<200 { subjects[thread].send(value) }
        subjects[thread].send(completion: .finished)
      }
      #expect(zipped.values == (0..<200).map { Array(repeating: $0, count: 4) })
      #expect(combined.values.last == [199, 199, 199, 199])
      #expect(!combined.hasOverlapped && !zipped.hasOverlapped)
      #expect(combined.isFinished && zipped.isFinished)
    }
  }
}
