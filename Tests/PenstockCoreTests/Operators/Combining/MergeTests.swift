// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct MergeTests {
  @Test(arguments: FanInCase.merges, [nil, Subscribers.Demand.max(3), .unlimited])
  func `Each upstream is asked for one value, or for everything`(_ candidate: FanInCase, _ demand: Subscribers.Demand?)
  {
    let upstreams = candidate.attach(RowRecorder(demand: demand))
    for upstream in upstreams {
      #expect(upstream.calls == [.requested(demand == .unlimited ? .unlimited : .max(1))])
    }
  }

  @Test(arguments: FanInCase.merges)
  func `A value that is wanted goes out, and one more is asked for by the answer`(_ candidate: FanInCase) {
    let recorder = RowRecorder(demand: .max(2))
    let upstreams = candidate.attach(recorder)
    #expect(upstreams[1].send(1) == .max(1))
    #expect(upstreams[0].send(2) == .max(1))
    #expect(upstreams[0].send(3) == .none)
    #expect(recorder.values == [[1], [2]])
  }

  @Test(arguments: FanInCase.merges)
  func `With unlimited demand the answer is downstream's`(_ candidate: FanInCase) {
    let recorder = RowRecorder(demand: .unlimited, answering: .max(4))
    let upstreams = candidate.attach(recorder)
    #expect(upstreams[1].send(1) == .max(4))
    recorder.onValue = nil
    #expect(upstreams[1].send(2) == .none)
    recorder.request(.max(1))
    recorder.request(.unlimited)
    for upstream in upstreams { #expect(upstream.calls == [.requested(.unlimited)]) }
  }

  @Test(arguments: FanInCase.merges)
  func `A value without demand waits, and the next one takes its place`(_ candidate: FanInCase) {
    let recorder = RowRecorder(demand: nil)
    let upstreams = candidate.attach(recorder)
    #expect(upstreams[1].send(1) == .none)
    #expect(upstreams[1].send(2) == .none)
    #expect(upstreams[0].send(3) == .none)
    #expect(recorder.values.isEmpty)
    recorder.request(.max(5))
    #expect(recorder.values == [[3], [2]])
  }

  @Test(arguments: FanInCase.merges)
  func `What waits goes out in the order of the upstreams, which are then asked for one more`(_ candidate: FanInCase) {
    let recorder = RowRecorder(demand: nil)
    let upstreams = candidate.attach(recorder)
    for place in upstreams.indices.reversed() { upstreams[place].send(place) }
    recorder.request(.max(1))
    #expect(recorder.values == [[0]])
    #expect(upstreams.map { $0.subscription!.requests.count } == [2] + Array(repeating: 1, count: candidate.count - 1))
    recorder.request(.max(candidate.count + 5))
    #expect(recorder.values == upstreams.indices.map { [$0] })
    for upstream in upstreams { #expect(upstream.subscription?.requests == [.max(1), .max(1)]) }
    #expect(upstreams[0].send(9) == .max(1))
    #expect(recorder.values.last == [9])
  }

  @Test(arguments: FanInCase.merges)
  func `Unlimited demand lets out what waits, and asks every upstream for everything`(_ candidate: FanInCase) {
    let recorder = RowRecorder(demand: nil)
    var askedTooEarly = false
    let upstreams = candidate.attach(recorder)
    recorder.onValue = { _ in
      askedTooEarly = upstreams.contains { $0.subscription!.requests.count > 1 }
      return .none
    }
    upstreams[1].send(1)
    recorder.request(.unlimited)
    #expect(recorder.values == [[1]])
    #expect(!askedTooEarly)
    for upstream in upstreams { #expect(upstream.subscription?.requests == [.max(1), .unlimited]) }
  }

  /// Returned demand counts like a request: a stream whose upstreams wait for requests would stall.
  @Test(arguments: FanInCase.merges)
  func `An answer that makes demand unlimited asks every upstream for everything`(_ candidate: FanInCase) {
    let recorder = RowRecorder(demand: .max(1), answering: .unlimited)
    let upstreams = candidate.attach(recorder)
    upstreams[0].send(1)
    for upstream in upstreams { #expect(upstream.subscription?.requests == [.max(1), .unlimited]) }
    recorder.onValue = nil
    for upstream in upstreams { upstream.send(2) }
    #expect(recorder.values.count == candidate.count + 1)
  }

  @Test(arguments: FanInCase.merges)
  func `Being asked for nothing is ignored`(_ candidate: FanInCase) {
    let recorder = RowRecorder(demand: Subscribers.Demand.none)
    let upstreams = candidate.attach(recorder)
    upstreams[0].send(1)
    recorder.request(.none)
    #expect(recorder.values.isEmpty)
    #expect(upstreams[0].calls == [.requested(.max(1))])
  }

  @Test(arguments: FanInCase.merges)
  func `It finishes when all have finished and nothing waits`(_ candidate: FanInCase) {
    let recorder = RowRecorder(demand: nil)
    let upstreams = candidate.attach(recorder)
    upstreams[0].send(1)
    upstreams[1].send(2)
    for upstream in upstreams { upstream.send(completion: .finished) }
    #expect(recorder.completions.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.completions.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.values == [[1], [2]])
    #expect(recorder.isFinished)
    for upstream in upstreams { #expect(upstream.subscription?.cancellations == 0) }
  }

  @Test func `A failure does not wait for what waits`() {
    let recorder = RowRecorder(demand: nil)
    let upstreams = FanInCase.merges[0].attach(recorder)
    upstreams[0].send(1)
    upstreams[1].send(completion: .failure(.oops))
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription("Merge"), .completion(.failure(.oops))])
  }

  @Test func `Values sent during a delivery nest, as far as demand reaches`() {
    let recorder = RowRecorder(demand: .max(2))
    let upstreams = FanInCase.merges[0].attach(recorder)
    recorder.onValue = { value in
      guard value == [1] else { return .none }
      #expect(upstreams[1].send(2) == .max(1))
      #expect(upstreams[0].send(3) == .none)
      #expect(recorder.values == [[1], [2]])
      recorder.request(.max(1))
      // A value that this demand releases waits until this delivery has returned.
      #expect(recorder.values == [[1], [2]])
      return .none
    }
    upstreams[0].send(1)
    #expect(recorder.values == [[1], [2], [3]])
  }

  @Test func `Upstreams are asked when the delivery has returned`() {
    let recorder = RowRecorder(demand: nil)
    let upstreams = FanInCase.merges[0].attach(recorder)
    upstreams[0].send(1)
    var requestsInside = 0
    recorder.onValue = { _ in
      recorder.request(.unlimited)
      requestsInside = upstreams[0].subscription!.requests.count
      return .none
    }
    recorder.request(.max(1))
    #expect(requestsInside == 1)
    #expect(upstreams[0].subscription?.requests == [.max(1), .unlimited])
  }

  @Test func `Nothing to merge is finished at once`() {
    let recorder = Recorder<Int, TestError>(demand: nil)
    Publishers.MergeMany<Stream>().subscribe(recorder)
    #expect(recorder.events == [.subscription("Merge"), .completion(.finished)])
  }

  @Test func `Merging a merge adds to it`() {
    let one = Just(1)
    let two: Publishers.Merge<Just<Int>, Publishers.First<Just<Int>>> = one.merge(
      with: Publishers.First(upstream: one))
    let first = Publishers.First(upstream: one)
    let three: Publishers.Merge3<Just<Int>, Publishers.First<Just<Int>>, Just<Int>> = two.merge(with: one)
    let four = three.merge(with: first)
    let five = four.merge(with: one)
    let six = five.merge(with: first)
    let seven = six.merge(with: one)
    let eight = seven.merge(with: first)
    #expect(eight == two.merge(with: one, first, one, first, one, first))
    #expect(seven == two.merge(with: one, first, one, first, one))
    #expect(six == two.merge(with: one, first, one, first))
    #expect(five == two.merge(with: one, first, one))
    #expect(four == two.merge(with: one, first))
    #expect(eight == three.merge(with: first, one, first, one, first))
    #expect(seven == three.merge(with: first, one, first, one))
    #expect(six == three.merge(with: first, one, first))
    #expect(five == three.merge(with: first, one))
    #expect(eight == four.merge(with: one, first, one, first))
    #expect(seven == four.merge(with: one, first, one))
    #expect(six == four.merge(with: one, first))
    #expect(eight == five.merge(with: first, one, first))
    #expect(seven == five.merge(with: first, one))
    #expect(eight == six.merge(with: one, first))
    #expect(eight == one.merge(with: first, one, first, one, first, one, first))
    #expect(eight.a == one && eight.b == first && eight.h == first)
    let same: Publishers.MergeMany<Just<Int>> = one.merge(with: Just(2))
    #expect(same.merge(with: Just(3)).publishers == [Just(1), Just(2), Just(3)])
    #expect(same == Publishers.MergeMany([Just(1), Just(2)]))
    #expect(same != Publishers.MergeMany(Just(1), Just(3)))
  }

  @Test func `A hundred thousand upstreams leave the stack as it was`() {
    let sum = Locked(0)
    onSmallStack(kibibytes: 256) {
      let merged = Publishers.MergeMany((0..<100_000).lazy.map { Just($0) })
      let cancellable = merged.sink { value in sum.change { $0 += value } }
      cancellable.cancel()
      let recorder = Recorder<Int, Never>(demand: .max(1), answering: .max(1))
      merged.subscribe(recorder)
      sum.change { $0 += recorder.values.count }
      // One by one, from the waiting values.
      let late = Recorder<Int, Never>(demand: nil)
      merged.subscribe(late)
      for _ in 0..<100_000 { late.request(.max(1)) }
      sum.change { $0 += late.values == Array(0..<100_000) && late.isFinished ? 1 : 0 }
    }
    #expect(sum.value == 100_000 * 99_999 / 2 + 100_000 + 1)
  }
}
