// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

@Suite struct PausableByTests {
  private func bench(
    by valve: Publishers.Valve, whenClosed strategy: Publishers.ValveStrategy = .keep, demand: Subscribers.Demand?
  ) -> RequestBench {
    RequestBench(demand: demand) { source, _ in source.pausable(by: valve, whenClosed: strategy) }
  }

  @Test func `While the valve is closed, what had been requested is kept, and no more is requested`() {
    let valve = Publishers.Valve()
    let bench = bench(by: valve, demand: .max(3))
    bench.send(1)
    valve.close()
    #expect(!valve.isOpen)
    bench.send(2, 3)
    bench.recorder.request(.max(2))
    #expect(bench.recorder.values == [1])
    #expect(bench.granted == .max(3))
    valve.open()
    #expect(bench.recorder.values == [1, 2, 3])
    #expect(bench.granted == .max(5))
    bench.send(4)
    #expect(bench.recorder.values == [1, 2, 3, 4])
    #expect(bench.recorder.complaints.isEmpty)
  }

  @Test func `A valve that drops requests others in their place`() {
    let valve = Publishers.Valve()
    let bench = bench(by: valve, whenClosed: .drop, demand: .max(2))
    valve.close()
    bench.send(1, 2)
    bench.recorder.request(.max(1))
    #expect(bench.granted == .max(5))
    valve.open()
    bench.send(3)
    #expect(bench.recorder.values == [3])
    #expect(bench.granted == .max(5))
  }

  @Test(arguments: [Publishers.ValveStrategy.keep, .drop])
  func `A valve that is closed from the start lets nothing pass`(_ strategy: Publishers.ValveStrategy) {
    let valve = Publishers.Valve(isOpen: false)
    let recorder = Recorder<Int, Never>()
    (1...3).publisher.pausable(by: valve, whenClosed: strategy).subscribe(recorder)
    #expect(recorder.values.isEmpty)
    valve.open()
    #expect(recorder.values == (strategy == .keep ? [1, 2, 3] : []))
    #expect(recorder.isFinished)
  }

  @Test func `A valve that says nothing is open, and one that has finished stays as it is`() {
    let signals = PassthroughSubject<Bool, Never>()
    let source = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    source.pausable(by: signals).subscribe(recorder)
    source.send(1)
    signals.send(false)
    signals.send(completion: .finished)
    source.send(2)
    #expect(recorder.values == [1])
    recorder.cancel()
  }

  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `A completion waits behind kept values only`(_ completion: Subscribers.Completion<TestError>) {
    let valve = Publishers.Valve(isOpen: false)
    let idle = bench(by: valve, demand: .max(2))
    idle.source.send(completion: completion)
    #expect(idle.recorder.completions == [completion])
    valve.open()
    let bench = bench(by: valve, demand: .max(2))
    valve.close()
    bench.send(1, 2)
    bench.source.send(completion: completion)
    #expect(bench.recorder.completions.isEmpty)
    valve.open()
    #expect(bench.recorder.values == [1, 2])
    #expect(bench.recorder.completions == [completion])
  }

  @Test func `A delivery that closes the valve is the last one, until it opens`() {
    let valve = Publishers.Valve()
    let bench = bench(by: valve, demand: .max(4))
    bench.recorder.onValue = { value in
      if value.isMultiple(of: 2) { valve.close() }
      return .max(1)
    }
    bench.send(1, 2, 3, 4)
    #expect(bench.recorder.values == [1, 2])
    #expect(bench.granted == .max(5))
    valve.open()
    #expect(bench.recorder.values == [1, 2, 3, 4])
    #expect(bench.granted == .max(5))
    valve.open()
    #expect(bench.granted == .max(8))
    #expect(bench.recorder.isSerial)
  }

  @Test func `Many kept values are delivered without a recursion, also where each opens the valve`() {
    onSmallStack {
      let valve = Publishers.Valve()
      let source = PassthroughSubject<Int, Never>()
      let recorder = Recorder<Int, Never>()
      recorder.onValue = { _ in
        valve.close()
        valve.open()
        return .none
      }
      source.pausable(by: valve).subscribe(recorder)
      valve.close()
      for value in 0..<50_000 { source.send(value) }
      valve.open()
      #expect(recorder.values == Array(0..<50_000))
      #expect(recorder.isSerial)
    }
  }

  @Test func `A cancel drops what is kept, and reaches both publishers`() {
    var graveyard = Graveyard()
    let (values, signals) = (CountedPublisher<Canary, Never>(), CountedPublisher<Bool, Never>())
    let recorder = Recorder<Canary, Never>()
    values.pausable(by: signals).subscribe(recorder)
    signals.subject.send(false)
    values.subject.send(graveyard.watch(Canary()))
    recorder.cancel()
    #expect(graveyard.survivors.isEmpty)
    #expect(values.cancelled.value == 1)
    #expect(signals.cancelled.value == 1)
    signals.subject.send(true)
    #expect(recorder.values.isEmpty)
  }

  @Test func `The end of the values cancels the valve's publisher`() {
    let signals = CountedPublisher<Bool, Never>()
    let recorder = Recorder<Int, Never>()
    Just(1).pausable(by: signals).subscribe(recorder)
    #expect(recorder.values == [1])
    #expect(recorder.isFinished)
    #expect(signals.cancelled.value == 1)
  }

  @Test(arguments: [Publishers.ValveStrategy.keep, .drop])
  func `Every random course goes as in the model`(_ strategy: Publishers.ValveStrategy) {
    for seed in 0..<400 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let valve = Publishers.Valve()
      let bench = bench(by: valve, whenClosed: strategy, demand: nil)
      var (isOpen, withheld, outstanding, granted) = (true, 0, 0, 0)
      var (kept, values): ([Int], [Int]) = ([], [])
      func pass() {
        if isOpen { (kept, values) = ([], values + kept) }
        if isOpen || strategy == .drop {
          (withheld, outstanding, granted) = (0, outstanding + withheld, granted + withheld)
        }
      }
      for step in 0..<60 {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0 where outstanding > 0:
          bench.send(step)
          outstanding -= 1
          if isOpen { values.append(step) } else if strategy == .keep { kept.append(step) } else { withheld += 1 }
        case 1:
          withheld += 2
          bench.recorder.request(.max(2))
        case 2:
          isOpen = false
          valve.close()
        default:
          isOpen = true
          valve.open()
        }
        pass()
        #expect(bench.granted == .max(granted), "seed \(seed), step \(step)")
        #expect(bench.recorder.values == values, "seed \(seed), step \(step)")
      }
      #expect(bench.recorder.complaints.isEmpty)
      bench.recorder.cancel()
    }
  }

  @Test func `Values, requests and the valve on three threads lose nothing`() {
    for _ in 0..<100 {
      let valve = Publishers.Valve()
      let recorder = Recorder<Int, Never>(demand: nil)
      (0..<300).publisher.pausable(by: valve).subscribe(recorder)
      onThreads([
        { for _ in 0..<150 { recorder.request(.max(1)) } },
        { for _ in 0..<150 { recorder.request(.max(1)) } },
        {
          for _ in 0..<100 {
            valve.close()
            valve.open()
          }
        },
      ])
      #expect(recorder.values == Array(0..<300))
      #expect(recorder.isFinished)
      #expect(!recorder.hasOverlapped)
    }
  }
}
