// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

@Suite struct BufferUpToTests {
  private func bench(upTo high: Int, resumingAt low: Int? = nil, demand: Subscribers.Demand?) -> RequestBench {
    RequestBench(demand: demand) { source, _ in source.buffer(upTo: high, resumingAt: low) }
  }

  /// A buffer of numbers that are as heavy as they are large.
  private func bench(weight high: Int, resumingAt low: Int? = nil, demand: Subscribers.Demand?) -> RequestBench {
    RequestBench(demand: demand) { source, _ in source.buffer(weight: high, resumingAt: low) { $0 } }
  }

  // MARK: By number

  @Test func `Upstream is asked up to the high mark, and again at the low one`() {
    let bench = bench(upTo: 4, resumingAt: 1, demand: nil)
    #expect(bench.source.calls == [.requested(.max(4))])
    bench.send(1, 2, 3, 4)
    #expect(bench.recorder.values.isEmpty)
    bench.recorder.request(.max(2))
    #expect(bench.recorder.values == [1, 2])
    #expect(bench.granted == .max(4))
    bench.recorder.request(.max(1))
    #expect(bench.granted == .max(7))
    bench.recorder.request(.max(1))
    #expect(bench.recorder.values == [1, 2, 3, 4])
    #expect(bench.granted == .max(7))
    #expect(bench.recorder.subscriptionTexts == ["BufferUpTo"])
  }

  @Test func `Where everything is requested, values pass, and are requested in batches`() {
    let bench = bench(upTo: 4, resumingAt: 1, demand: .unlimited)
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

  @Test func `Without a low mark of its own the buffer is filled again at a quarter`() {
    let bench = bench(upTo: 8, demand: .unlimited)
    bench.send(1, 2, 3, 4, 5)
    #expect(bench.granted == .max(8))
    bench.send(6)
    #expect(bench.granted == .max(14))
  }

  @Test func `What upstream delivers without having been asked waits, and counts`() {
    let bench = bench(upTo: 2, resumingAt: 0, demand: nil)
    bench.send(1, 2, 3, 4, 5)
    #expect(bench.granted == .max(2))
    bench.recorder.request(.max(4))
    #expect(bench.recorder.values == [1, 2, 3, 4])
    #expect(bench.granted == .max(2))
    bench.recorder.request(.max(1))
    #expect(bench.recorder.values == [1, 2, 3, 4, 5])
    #expect(bench.granted == .max(4))
  }

  @Test(arguments: [(1, 0), (2, 1), (3, 0), (5, 2), (8, 7)])
  func `Every random course goes as in the model`(_ high: Int, _ low: Int) {
    for seed in 0..<200 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let bench = bench(upTo: high, resumingAt: low, demand: nil)
      var (wanted, outstanding, waiting, granted) = (0, high, 0, high)
      /// A model of the whole operator, without threads: the maximum that waits, and when upstream is asked.
      func settle(answering more: Int) {
        while wanted > 0, waiting > 0 { (wanted, waiting) = (wanted - 1 + more, waiting - 1) }
        if waiting + outstanding <= low {
          let count = high - waiting - outstanding
          (outstanding, granted) = (outstanding + count, granted + count)
        }
      }
      for step in 0..<60 {
        let more = Int.random(in: 0...1, using: &generator)
        bench.recorder.onValue = { _ in .max(more) }
        if outstanding > 0, Bool.random(using: &generator) {
          bench.send(step)
          (outstanding, waiting) = (outstanding - 1, waiting + 1)
        } else {
          let count = Int.random(in: 1...4, using: &generator)
          wanted += count
          bench.recorder.request(.max(count))
        }
        settle(answering: more)
        #expect(bench.granted == .max(granted), "seed \(seed), step \(step)")
        #expect(waiting <= high)
      }
      #expect(bench.recorder.complaints.isEmpty)
    }
  }

  // MARK: By weight

  @Test func `Values are asked for one at a time until they weigh enough, and again when they weigh little`() {
    let bench = bench(weight: 10, resumingAt: 4, demand: nil)
    #expect(bench.source.calls == [.requested(.max(1))])
    bench.send(3)
    #expect(bench.granted == .max(2))
    bench.send(6)
    #expect(bench.granted == .max(3))
    // The last makes it heavier than the mark.
    bench.send(5)
    #expect(bench.granted == .max(3))
    bench.recorder.request(.max(1))
    #expect(bench.granted == .max(3))
    // 5 is left, which is more than the low mark.
    bench.recorder.request(.max(1))
    #expect(bench.granted == .max(3))
    bench.recorder.request(.max(1))
    #expect(bench.granted == .max(4))
    #expect(bench.recorder.values == [3, 6, 5])
    #expect(bench.recorder.subscriptionTexts == ["BufferWeight"])
  }

  @Test func `A value heavier than the mark waits alone, and one that weighs nothing does not count`() {
    let bench = bench(weight: 10, demand: nil)
    bench.send(0, 0, 0)
    #expect(bench.granted == .max(4))
    bench.send(1_000)
    #expect(bench.granted == .max(4))
    bench.recorder.request(.max(3))
    #expect(bench.granted == .max(4))
    bench.recorder.request(.max(1))
    #expect(bench.granted == .max(5))
  }

  @Test func `Sums of weights beyond the greatest number do not trap`() {
    let bench = bench(weight: .max, resumingAt: 0, demand: nil)
    bench.send(.max, .max, .max, 5)
    #expect(bench.granted == .max(1))
    bench.recorder.request(.max(4))
    #expect(bench.recorder.values == [.max, .max, .max, 5])
    #expect(bench.granted == .max(2))
  }

  @Test func `The weight of each value is found out once, where upstream delivers`() {
    let weighed = Locked<[Int]>([])
    let recorder = Recorder<Int, Never>(demand: .max(2))
    (1...5).publisher.buffer(weight: 100) { value in
      weighed.change { $0.append(value) }
      return value
    }
    .subscribe(recorder)
    recorder.request(.unlimited)
    #expect(weighed.value == Array(1...5))
    #expect(recorder.values == Array(1...5))
  }

  // MARK: Both

  private static let both: [String] = ["number", "weight"]

  private func bench(by kind: String, demand: Subscribers.Demand?) -> RequestBench {
    kind == "number" ? bench(upTo: 3, demand: demand) : bench(weight: 3, demand: demand)
  }

  @Test(arguments: both, [true, false])
  func `The end comes behind what waits`(_ kind: String, _ isFailure: Bool) {
    let bench = bench(by: kind, demand: nil)
    let end: Subscribers.Completion<TestError> = isFailure ? .failure(.oops) : .finished
    bench.send(1, 2)
    bench.source.send(completion: end)
    bench.send(3)
    #expect(bench.recorder.completions.isEmpty)
    bench.recorder.request(.max(1))
    #expect(bench.recorder.completions.isEmpty)
    bench.recorder.request(.max(1))
    #expect(bench.recorder.values == [1, 2])
    #expect(bench.recorder.completions == [end])
    #expect(bench.source.subscription?.cancellations == 0)
  }

  @Test(arguments: both)
  func `With nothing that waits, the end comes without demand`(_ kind: String) {
    let bench = bench(by: kind, demand: nil)
    bench.source.send(completion: .finished)
    #expect(bench.recorder.isFinished)
  }

  @Test(arguments: both)
  func `After the end upstream is asked for nothing`(_ kind: String) {
    let bench = bench(by: kind, demand: nil)
    bench.send(1, 2)
    let before = bench.granted
    bench.source.send(completion: .finished)
    bench.recorder.request(.max(1))
    #expect(bench.granted == before)
  }

  @Test(arguments: both)
  func `A cancel reaches upstream once, and nothing follows`(_ kind: String) {
    let bench = bench(by: kind, demand: .max(1))
    bench.recorder.onValue = { [recorder = bench.recorder] _ in
      recorder.cancel()
      return .max(1)
    }
    bench.send(1, 2)
    bench.recorder.cancel()
    bench.recorder.request(.max(1))
    bench.source.send(completion: .finished)
    #expect(bench.recorder.values == [1])
    #expect(bench.recorder.completions.isEmpty)
    #expect(bench.source.subscription?.cancellations == 1)
  }

  @Test(arguments: both, [true, false])
  func `A value that is sent during a delivery follows it, with demand from it`(_ kind: String, _ isReturned: Bool) {
    let bench = bench(by: kind, demand: .max(1))
    bench.recorder.onValue = { value in
      if value == 1 { bench.source.send(2) }
      guard value < 3 else { return .none }
      if isReturned { return .max(1) }
      bench.recorder.request(.max(1))
      return .none
    }
    bench.source.send(1)
    bench.source.send(3)
    #expect(bench.recorder.values == [1, 2, 3])
    #expect(bench.recorder.isSerial)
  }

  @Test(arguments: both)
  func `A source that delivers at once is not asked in a recursion`(_ kind: String) {
    onSmallStack {
      for demand in [Subscribers.Demand.unlimited, .max(1)] {
        let recorder = Recorder<Int, Never>(demand: demand, answering: demand)
        let numbers = (0..<100_000).publisher
        if kind == "number" {
          numbers.buffer(upTo: 3, resumingAt: 2).subscribe(recorder)
        } else {
          numbers.buffer(weight: 3) { $0 % 3 }.subscribe(recorder)
        }
        #expect(recorder.values.count == 100_000)
        #expect(recorder.isFinished)
      }
    }
  }

  @Test(arguments: both, ["finish", "cancel", "fail"])
  func `Nothing is left`(_ kind: String, _ end: String) {
    var graveyard = Graveyard()
    do {
      let source = graveyard.watch(PassthroughSubject<Canary, TestError>(), "upstream")
      let recorder = graveyard.watch(Recorder<Canary, TestError>(demand: .max(1)), "downstream")
      if kind == "number" {
        source.buffer(upTo: 3, resumingAt: 0).subscribe(recorder)
      } else {
        source.buffer(weight: 3) { _ in 1 }.subscribe(recorder)
      }
      for _ in 0..<3 { source.send(graveyard.watch(Canary(), "value")) }
      switch end {
      case "finish":
        source.send(completion: .finished)
        recorder.request(.max(2))
        #expect(recorder.isFinished)
      case "cancel": recorder.cancel()
      default: source.send(completion: .failure(.oops))
      }
      recorder.dismiss()
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test(arguments: both)
  func `Values and requests on several threads lose nothing, and exceed nothing`(_ kind: String) {
    for round in 0..<60 {
      let (recorder, waiting) = (Recorder<Int, Never>(demand: nil), Locked((now: 0, most: 0)))
      let values = PassthroughSubject<Int, Never>()
      let upstream = values.buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest)
        .handleEvents(receiveOutput: { _ in waiting.change { $0 = ($0.now + 1, max($0.most, $0.now + 1)) } })
      recorder.onValue = { _ in
        waiting.change { $0.now -= 1 }
        return .none
      }
      if kind == "number" {
        upstream.buffer(upTo: 4, resumingAt: round % 4).subscribe(recorder)
      } else {
        upstream.buffer(weight: 8, resumingAt: round % 8) { _ in 2 }.subscribe(recorder)
      }
      onThreads(3) { thread in
        for number in 0..<300 {
          if thread == 0 { values.send(number) } else if number.isMultiple(of: 2) { recorder.request(.max(1)) }
        }
      }
      #expect(recorder.values == Array(0..<300))
      #expect(!recorder.hasOverlapped)
      // One more value may be on its way between the two counts.
      #expect(waiting.value.most <= 5)
    }
  }

  @Test(arguments: both)
  func `A cancel beside values and requests ends both`(_ kind: String) {
    for _ in 0..<100 {
      let (recorder, values) = (Recorder<Int, Never>(demand: nil), PassthroughSubject<Int, Never>())
      if kind == "number" {
        values.buffer(upTo: 2, resumingAt: 1).subscribe(recorder)
      } else {
        values.buffer(weight: 2) { _ in 1 }.subscribe(recorder)
      }
      onThreads(3) { thread in
        switch thread {
        case 0: for number in 0..<50 { values.send(number) }
        case 1: for _ in 0..<50 { recorder.request(.max(1)) }
        default: recorder.cancel()
        }
      }
      let count = recorder.values.count
      values.send(100)
      recorder.request(.max(1))
      #expect(recorder.values.count == count)
      #expect(!recorder.hasOverlapped)
    }
  }

  // MARK: Traps

  @Test(arguments: [0, -1])
  func `A high mark below one traps`(_ high: Int) async {
    let number = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [high] in
      _ = Just(1).buffer(upTo: high)
    }
    expectMessage(number, "buffer(upTo:) takes a high mark of 1 or more, but was given \(high). Clamp the value")
    let weight = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [high] in
      _ = Just(1).buffer(weight: high) { $0 }
    }
    expectMessage(weight, "buffer(weight:) takes a high mark of 1 or more, but was given \(high). Clamp the value")
  }

  @Test(arguments: [-1, 4])
  func `A low mark that is not below the high one traps`(_ low: Int) async {
    let rule = "takes a low mark of 0 or more, and below the high one, but was given \(low). Clamp"
    let number = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [low] in
      _ = Just(1).buffer(upTo: 4, resumingAt: low)
    }
    expectMessage(number, "buffer(upTo:resumingAt:) \(rule)")
    let weight = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [low] in
      _ = Just(1).buffer(weight: 4, resumingAt: low) { $0 }
    }
    expectMessage(weight, "buffer(weight:resumingAt:) \(rule)")
  }

  @Test func `A value with a negative weight traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Just(-1).buffer(weight: 4) { $0 }.subscribe(Recorder<Int, Never>())
    }
    expectMessage(result, "buffer(weight:resumingAt:weightOf:) takes weights of 0 or more, but was given -1. Clamp")
  }
}
