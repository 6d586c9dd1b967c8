// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

@Suite struct LimitRequestsTests {
  private func bench(to count: Int, refillAt low: Int? = nil, demand: Subscribers.Demand?) -> RequestBench {
    RequestBench(demand: demand) { source, _ in source.limitRequests(to: count, refillAt: low) }
  }

  @Test func `All values are requested in batches, and a batch is refilled at the low mark`() {
    let bench = bench(to: 4, refillAt: 1, demand: .unlimited)
    #expect(bench.granted == .max(4))
    bench.send(1, 2)
    #expect(bench.granted == .max(4))
    bench.send(3)
    #expect(bench.granted == .max(7))
    bench.send(4, 5)
    #expect(bench.granted == .max(7))
    bench.send(6)
    #expect(bench.granted == .max(10))
    #expect(bench.recorder.values == Array(1...6))
    #expect(bench.source.calls == [.requested(.max(4))])
  }

  @Test func `Without a low mark of its own a batch is refilled at a quarter`() {
    let bench = bench(to: 8, demand: .unlimited)
    bench.send(1, 2, 3, 4, 5)
    #expect(bench.granted == .max(8))
    bench.send(6)
    #expect(bench.granted == .max(14))
  }

  @Test func `No more is requested than downstream has requested`() {
    let bench = bench(to: 4, refillAt: 0, demand: nil)
    #expect(bench.granted == .none)
    bench.recorder.request(.max(2))
    #expect(bench.granted == .max(2))
    bench.send(1)
    bench.recorder.request(.max(5))
    #expect(bench.granted == .max(2))
    bench.send(2)
    #expect(bench.granted == .max(6))
    bench.send(3, 4, 5, 6)
    #expect(bench.granted == .max(7))
    bench.send(7)
    #expect(bench.granted == .max(7))
    #expect(bench.recorder.complaints.isEmpty)
  }

  @Test func `A request beside outstanding values fills the batch if these are few`() {
    let bench = bench(to: 4, refillAt: 2, demand: nil)
    bench.recorder.request(.max(1))
    bench.recorder.request(.max(9))
    #expect(bench.source.calls == [.requested(.max(1)), .requested(.max(3))])
  }

  @Test(arguments: [true, false])
  func `Demand from a delivery counts at once`(_ isReturned: Bool) {
    let bench = bench(to: 1, demand: .max(1))
    bench.recorder.onValue = { value in
      guard value < 3 else { return .none }
      if isReturned { return .max(1) }
      bench.recorder.request(.max(1))
      return .none
    }
    bench.send(1, 2, 3)
    #expect(bench.recorder.values == [1, 2, 3])
    #expect(bench.granted == .max(3))
  }

  @Test func `The completion and the failure are forwarded, and later values are not`() {
    for completion in [Subscribers.Completion<TestError>.finished, .failure(.oops)] {
      let bench = bench(to: 4, demand: .unlimited)
      bench.send(1)
      bench.source.send(completion: completion)
      bench.send(2)
      bench.recorder.request(.max(1))
      #expect(bench.recorder.values == [1])
      #expect(bench.recorder.completions == [completion])
      #expect(bench.source.calls == [.requested(.max(4))])
    }
  }

  @Test func `A cancel reaches upstream once, and nothing follows`() {
    let bench = bench(to: 4, demand: .unlimited)
    bench.send(1)
    bench.recorder.cancel()
    bench.recorder.cancel()
    bench.send(2, 3, 4)
    bench.recorder.request(.max(1))
    #expect(bench.recorder.values == [1])
    #expect(bench.source.calls == [.requested(.max(4)), .cancelled])
  }

  @Test func `A source that delivers at once is not asked in a recursion`() {
    onSmallStack {
      let recorder = Recorder<Int, Never>()
      (0..<200_000).publisher.limitRequests(to: 3, refillAt: 2).subscribe(recorder)
      #expect(recorder.values.count == 200_000)
      #expect(recorder.isFinished)
    }
  }

  @Test(arguments: [(1, 0), (2, 1), (3, 2), (5, 1), (8, 7)])
  func `Every random course goes as in the model`(_ count: Int, _ low: Int) {
    for seed in 0..<200 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let bench = bench(to: count, refillAt: low, demand: nil)
      var (wanted, outstanding, granted) = (0, 0, 0)
      /// A model of the whole operator, without threads.
      func refill() {
        guard outstanding <= low else { return }
        let more = min(wanted, count - outstanding)
        (wanted, outstanding, granted) = (wanted - more, outstanding + more, granted + more)
      }
      for step in 0..<60 {
        if outstanding > 0, Bool.random(using: &generator) {
          let more = Int.random(in: 0...2, using: &generator)
          bench.recorder.onValue = { _ in .max(more) }
          bench.send(step)
          outstanding -= 1
          refill()
          wanted += more
          refill()
        } else {
          let more = Int.random(in: 1...6, using: &generator)
          bench.recorder.request(.max(more))
          wanted += more
          refill()
        }
        #expect(bench.granted == .max(granted), "seed \(seed), step \(step)")
      }
      #expect(bench.recorder.complaints.isEmpty)
    }
  }

  @Test func `Requests on several threads lose nothing, and exceed nothing`() {
    for round in 0..<100 {
      let outstanding = Locked((now: 0, most: 0))
      let recorder = Recorder<Int, Never>(demand: nil)
      (0..<600).publisher
        .handleEvents(
          receiveOutput: { _ in outstanding.change { $0.now -= 1 } },
          receiveRequest: { demand in
            outstanding.change { $0 = ($0.now + demand.max!, max($0.most, $0.now + demand.max!)) }
          }
        )
        .limitRequests(to: 4, refillAt: round % 4)
        .subscribe(recorder)
      onThreads(3) { _ in for _ in 0..<200 { recorder.request(.max(1)) } }
      #expect(recorder.values == Array(0..<600))
      #expect(!recorder.hasOverlapped)
    }
  }

  @Test(arguments: [0, -1])
  func `A count below one traps`(_ count: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [count] in
      _ = Just(1).limitRequests(to: count)
    }
    expectMessage(result, "limitRequests(to:) takes a count of 1 or more, but was given \(count). Clamp the value")
  }

  @Test(arguments: [-1, 4])
  func `A low mark that is no part of a batch traps`(_ low: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [low] in
      _ = Just(1).limitRequests(to: 4, refillAt: low)
    }
    expectMessage(
      result,
      "limitRequests(to:refillAt:) takes a low mark of 0 or more, and below the count, but was given \(low). Clamp")
  }
}
