// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

/// What is requested from upstream, and what waits.
@Suite struct CollectByWeightDemandTests {
  @Test func `As many values are asked for as an array may have, before anything is wanted`() {
    let bench = WeightBench(upTo: 4, demand: nil)
    #expect(bench.source.calls == [.requested(.max(4))])
    bench.recorder.request(.max(2))
    bench.recorder.request(.unlimited)
    bench.recorder.request(.none)
    #expect(bench.source.calls == [.requested(.max(4))])
  }

  @Test func `Where nobody asks, an array stays open when its time is over, until it is full`() {
    let bench = WeightBench(demand: nil)
    bench.send(1)
    bench.clock.advance(by: 5)
    bench.send(2)
    bench.clock.advance(by: 5)
    #expect(bench.recorder.values.isEmpty)
    #expect(bench.clock.pending.isEmpty)
    bench.send(3)
    bench.clock.advance(by: 5)
    #expect(bench.outstanding == 0)
    #expect(bench.recorder.values.isEmpty)
    bench.recorder.request(.max(1))
    bench.settle()
    #expect(bench.recorder.values == [[1, 2, 3]])
    #expect(bench.outstanding == 3)
    #expect(bench.recorder.complaints.isEmpty)
  }

  @Test func `An array whose time is over goes as it is when it is asked for`() {
    let bench = WeightBench(demand: nil)
    bench.send(1, 2)
    bench.recorder.request(.max(1))
    bench.clock.advance(by: 0.9)
    #expect(bench.recorder.values.isEmpty)
    bench.clock.advance(by: 0.1)
    #expect(bench.recorder.values == [[1, 2]])
    bench.send(3)
    bench.clock.advance(by: 5)
    bench.recorder.request(.max(1))
    bench.settle()
    #expect(bench.recorder.values == [[1, 2], [3]])
  }

  @Test func `One array is delivered for each that is asked for`() {
    let bench = WeightBench(upTo: 2, demand: .max(1))
    bench.send(1, 1)
    bench.settle()
    bench.send(2, 2)
    bench.clock.advance(by: 5)
    #expect(bench.recorder.values == [[1, 1]])
    #expect(bench.outstanding == 0)
    bench.recorder.request(.max(2))
    bench.settle()
    #expect(bench.recorder.values == [[1, 1], [2, 2]])
    bench.send(3)
    bench.clock.advance(by: 1)
    #expect(bench.recorder.values == [[1, 1], [2, 2], [3]])
    bench.send(4, 4)
    bench.clock.advance(by: 5)
    #expect(bench.recorder.values.count == 3)
    #expect(bench.recorder.complaints.isEmpty)
  }

  @Test func `Several arrays that are full by their weight wait in order, and are no more values than were asked for`()
  {
    let bench = WeightBench(upTo: 5, demand: nil)
    bench.send(8, 4, 11, 6, 5)
    bench.clock.advance(by: 5)
    #expect(bench.outstanding == 0)
    bench.recorder.request(.max(2))
    bench.settle()
    #expect(bench.recorder.values == [[8], [4]])
    #expect(bench.outstanding == 2)
    bench.recorder.request(.max(9))
    bench.settle()
    #expect(bench.recorder.values == [[8], [4], [11], [6], [5]])
    #expect(bench.outstanding == 5)
  }

  @Test func `The last of several arrays that wait keeps its time`() {
    let bench = WeightBench(upTo: 5, demand: nil)
    bench.send(8)
    bench.clock.advance(by: 0.5)
    bench.send(4)
    bench.clock.advance(by: 0.8)
    bench.recorder.request(.unlimited)
    bench.settle()
    #expect(bench.recorder.values == [[8]])
    bench.clock.advance(by: 0.2)
    #expect(bench.recorder.values == [[8], [4]])
  }

  @Test func `A delivery asks for what it has made room for, and not before`() {
    let bench = WeightBench(demand: .unlimited)
    bench.send(1, 1, 1)
    #expect(bench.source.calls == [.requested(.max(3))])
    bench.settle()
    #expect(bench.source.calls == [.requested(.max(3)), .requested(.max(3))])
    bench.send(1)
    bench.clock.advance(by: 1)
    #expect(bench.source.calls.last == .requested(.max(1)))
    #expect(bench.outstanding == 3)
  }

  @Test(arguments: [Subscribers.Demand.none, .max(1), .max(4), .unlimited], [0, 1, 3])
  func `Never is more asked for and held than one array may have`(_ initial: Subscribers.Demand, _ weight: Int) {
    for interval in [0.5, 3] as [VirtualTime.Stride] {
      let bench = WeightBench(upTo: 4, weight: 5, within: interval, demand: initial == .none ? nil : initial)
      var expected: [Int] = []
      for round in 0..<60 {
        let delivered = bench.recorder.values.joined().count
        #expect(bench.granted - delivered <= 4)
        if bench.outstanding > 0 {
          bench.send((round * 7 + weight) % 7)
          expected.append((round * 7 + weight) % 7)
        }
        bench.clock.advance(by: 0.25)
        if round % 9 == 0 { bench.recorder.request(.max(1)) }
      }
      bench.source.send(completion: .finished)
      bench.recorder.request(.unlimited)
      bench.settle()
      #expect(Array(bench.recorder.values.joined()) == expected)
      #expect(bench.recorder.values.allSatisfy { $0.count <= 4 && ($0.count == 1 || $0.reduce(0, +) <= 5) })
      #expect(bench.recorder.isFinished)
      #expect(bench.recorder.complaints.isEmpty)
    }
  }

  @Test func `A source that can wait waits while nobody asks, and loses nothing`() {
    let clock = VirtualTimeScheduler()
    let made = Locked(0)
    let recorder = Recorder<[Int], Never>(demand: .max(1))
    Publishers.generate(state: 0) { number in
      number += 1
      made.change { $0 += 1 }
      return number
    }
    .collect(upTo: 10, weight: 40, within: 1, scheduler: clock) { _ in 5 }
    .subscribe(recorder)
    #expect(made.value == 10)
    clock.advance(by: 9)
    #expect(recorder.values == [Array(1...8)])
    #expect(made.value == 18)
    recorder.request(.max(2))
    clock.advance(by: 9)
    #expect(recorder.values == [Array(1...8), Array(9...16), Array(17...24)])
    #expect(made.value == 34)
    recorder.cancel()
    clock.advance(by: 9)
    #expect(made.value == 34)
  }

  @Test func `What was not asked for is kept, too, and asks for nothing in its place`() {
    let bench = WeightBench(upTo: 2, demand: nil)
    bench.send(1, 2, 3, 4, 5)
    bench.clock.advance(by: 5)
    bench.recorder.request(.max(1))
    bench.settle()
    #expect(bench.recorder.values == [[1, 2]])
    #expect(bench.source.calls == [.requested(.max(2))])
    bench.recorder.request(.unlimited)
    bench.settle()
    #expect(bench.recorder.values == [[1, 2], [3, 4], [5]])
    #expect(bench.source.calls == [.requested(.max(2)), .requested(.max(1)), .requested(.max(1))])
  }

  // MARK: Demand from a delivery

  @Test(arguments: [true, false])
  func `Demand that a delivery returns, or requests, pays for the next array`(_ isReturned: Bool) {
    let bench = WeightBench(upTo: 2, demand: .max(1))
    bench.recorder.onValue = { values in
      guard values != [3, 3] else { return .none }
      if isReturned { return .max(1) }
      bench.recorder.request(.max(1))
      return .none
    }
    for value in 1...4 {
      bench.send(value, value)
      bench.settle()
    }
    #expect(bench.recorder.values == [[1, 1], [2, 2], [3, 3]])
    #expect(bench.recorder.isSerial)
    bench.recorder.request(.max(1))
    bench.settle()
    #expect(bench.recorder.values.last == [4, 4])
    #expect(bench.recorder.complaints.isEmpty)
  }

  @Test func `Upstream may send during the request that a delivery makes, on a scheduler that runs at once`() {
    let recorder = Recorder<[Int], Never>(demand: .max(1), answering: .max(1))
    (0..<20_000).publisher
      .collect(upTo: 3, weight: 9, within: 1, scheduler: ImmediateScheduler.shared) { $0 % 5 }
      .subscribe(recorder)
    #expect(recorder.values.count == 20_000)
    #expect(recorder.isFinished)
    #expect(recorder.isSerial)
  }

  @Test(arguments: [true, false])
  func `Many arrays that wait are delivered without a recursion, on a scheduler that runs at once`(_ isReturned: Bool) {
    let recorder = Recorder<[Int], Never>(demand: nil)
    recorder.onValue = { _ in
      if isReturned { return .max(1) }
      recorder.request(.max(1))
      return .none
    }
    (0..<50_000).publisher
      .collect(upTo: 50_000, weight: 1, within: 1, scheduler: ImmediateScheduler.shared) { _ in 2 }
      .subscribe(recorder)
    #expect(recorder.values.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.values.count == 50_000)
    #expect(recorder.isFinished)
    #expect(recorder.isSerial)
  }
}
