// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

@Suite struct PaceByCostTests {
  private func bench(_ count: Int = 10, burst: Int = 5, demand: Subscribers.Demand? = .unlimited) -> RequestBench {
    RequestBench(demand: demand) { source, clock in
      source.pace(count, per: .seconds(1), burst: burst, scheduler: clock) { $0 }
    }
  }

  /// Returns the times at which values with given costs are delivered, from a source that is never late.
  private func dates(of costs: [Int], _ count: Int = 10, burst: Int = 5) -> [VirtualTime] {
    let clock = VirtualTimeScheduler()
    let dates = Locked<[VirtualTime]>([])
    let cancellable = costs.publisher.pace(count, per: .seconds(1), burst: burst, scheduler: clock) { $0 }
      .sink { _ in dates.change { $0.append(clock.now) } }
    clock.advance(by: 1_000)
    #expect(clock.pending.isEmpty)
    withExtendedLifetime(cancellable) {}
    return dates.value
  }

  @Test func `A value waits until the bucket has its tokens`() {
    #expect(dates(of: [2, 2, 2, 4]) == [0, 0, 0.1, 0.5])
    #expect(dates(of: [0, 0, 5, 1, 0, 1]) == [0, 0, 0, 0.1, 0.2, 0.2])
  }

  @Test func `A value that costs more than the bucket holds comes when it is full, and the debt is paid after it`() {
    #expect(dates(of: [3, 12, 1, 1]) == [0, 0.3, 1.1, 1.2])
    #expect(dates(of: [.max]) == [0])
  }

  @Test func `One value at a time is requested, and waits alone`() {
    let bench = bench()
    #expect(bench.granted == .max(1))
    bench.send(5)
    #expect(bench.recorder.values == [5])
    #expect(bench.granted == .max(1))
    bench.clock.advance(by: 0.1)
    #expect(bench.granted == .max(2))
    bench.send(3)
    bench.clock.advance(by: 0.19)
    #expect(bench.recorder.values == [5])
    #expect(bench.granted == .max(2))
    #expect(bench.clock.pending.count == 1)
    bench.clock.advance(by: 0.01)
    #expect(bench.recorder.values == [5, 3])
    #expect(bench.granted == .max(2))
  }

  @Test func `What is not wanted is not requested`() {
    let bench = bench(demand: nil)
    #expect(bench.granted == .none)
    bench.clock.advance(by: 9)
    bench.recorder.request(.max(2))
    bench.send(1)
    #expect(bench.granted == .max(2))
    bench.send(1)
    #expect(bench.granted == .max(2))
    #expect(bench.clock.pending.isEmpty)
    #expect(bench.recorder.complaints.isEmpty)
  }

  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `A completion comes at once, or behind the value that waits`(_ completion: Subscribers.Completion<TestError>) {
    let idle = bench()
    idle.source.send(completion: completion)
    #expect(idle.recorder.completions == [completion])
    #expect(idle.clock.pending.isEmpty)
    let bench = bench()
    bench.send(5)
    bench.clock.advance(by: 0.1)
    bench.send(4)
    bench.source.send(completion: completion)
    #expect(bench.recorder.completions.isEmpty)
    bench.clock.advance(by: 0.3)
    #expect(bench.recorder.values == [5, 4])
    #expect(bench.recorder.completions == [completion])
    #expect(bench.clock.pending.isEmpty)
  }

  @Test func `Values that were not requested wait as well, in order`() {
    let bench = bench(burst: 2)
    bench.send(2, 1, 1)
    #expect(bench.recorder.values == [2])
    bench.clock.advance(by: 0.1)
    #expect(bench.recorder.values == [2, 1])
    bench.clock.advance(by: 0.1)
    #expect(bench.recorder.values == [2, 1, 1])
  }

  @Test func `A cancel drops the value that waits, and ends the timer`() {
    var graveyard = Graveyard()
    let clock = VirtualTimeScheduler()
    do {
      let subject = PassthroughSubject<Canary, Never>()
      let recorder = graveyard.watch(Recorder<Canary, Never>(), "recorder")
      subject.pace(1, per: .seconds(1), burst: 2, scheduler: clock) { _ in 2 }.subscribe(recorder)
      subject.send(graveyard.watch(Canary(), "first"))
      clock.advance(by: 1)
      subject.send(graveyard.watch(Canary(), "second"))
      #expect(recorder.values.count == 1)
      recorder.dismiss()
    }
    #expect(graveyard.survivors.isEmpty)
    #expect(clock.pending.isEmpty)
  }

  @Test func `Nothing recurses, whatever the scheduler and the source do at once`() {
    onSmallStack {
      let recorder = Recorder<Int, Never>()
      (0..<50_000).publisher
        .pace(1, per: .seconds(1), burst: 3, scheduler: AnyScheduler<VirtualTime, Never>.immediate(now: 0)) { $0 % 9 }
        .subscribe(recorder)
      #expect(recorder.values.count == 50_000)
      #expect(recorder.isFinished)
    }
  }

  @Test func `Requests and time on several threads lose nothing`() {
    for round in 0..<60 {
      let clock = VirtualTimeScheduler()
      let recorder = Recorder<Int, Never>(demand: nil)
      (0..<300).publisher
        .pace(1, per: .nanoseconds(1), burst: 1 + round % 5, scheduler: clock) { $0 % 4 }
        .subscribe(recorder)
      onThreads([
        { for _ in 0..<150 { recorder.request(.max(1)) } },
        { for _ in 0..<150 { recorder.request(.max(1)) } },
        { for _ in 0..<200 { clock.advance(by: .nanoseconds(3)) } },
      ])
      clock.advance(by: 1)
      #expect(recorder.values == Array(0..<300))
      #expect(recorder.isFinished)
      #expect(!recorder.hasOverlapped)
      #expect(clock.pending.isEmpty)
    }
  }

  @Test(arguments: [(1, 1), (5, 3), (10, 7)])
  func `Every random list of costs is delivered as by a bucket that is counted in every twentieth of a second`(
    _ count: Int, _ burst: Int
  ) {
    for seed in 0..<200 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let costs = (0..<12).map { _ in Int.random(in: 0...burst + 3, using: &generator) }
      // Twentieths of a token, and of a second.
      var (level, time) = (20 * burst, 0)
      var expected: [Int] = []
      for cost in costs {
        func wait(for tokens: Int) {
          while level < 20 * tokens { (level, time) = (min(20 * burst, level + count), time + 1) }
        }
        wait(for: 1)
        wait(for: min(cost, burst))
        level -= 20 * cost
        expected.append(time)
      }
      let found = dates(of: costs, count, burst: burst)
      #expect(found == expected.map { VirtualTime.zero.advanced(by: .milliseconds($0 * 50)) }, "seed \(seed): \(costs)")
    }
  }

  @Test func `It goes on after a value that another thread's request has brought during the introduction`() {
    let clock = VirtualTimeScheduler()
    // A sequence would defer the request until its subscriber has been introduced.
    let source = ManualPublisher<Int, Never>()
    let recorder = Recorder<Int, Never>(demand: nil)
    recorder.onSubscription = { [source] subscription in
      let subscription = UncheckedBox(subscription)
      elsewhere {
        subscription.value.request(.unlimited)
        source.send(1)
      }
    }
    source.pace(10, per: .seconds(1), burst: 5, scheduler: clock) { $0 }.subscribe(recorder)
    #expect(source.calls == [.requested(.max(1))])
    #expect(recorder.values.isEmpty)
    clock.advance(by: 10)
    #expect(recorder.values == [1])
    #expect(source.calls == [.requested(.max(1)), .requested(.max(1))])
    source.send(1)
    #expect(recorder.values == [1, 1])
  }

  @Test func `A negative cost traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let cancellable = Just(-1).pace(1, per: .seconds(1), scheduler: ImmediateScheduler.shared) { $0 }.sink { _ in }
      withExtendedLifetime(cancellable) {}
    }
    expectMessage(result, "pace(cost:) takes a cost of 0 or more, but was given -1. Clamp the value")
  }
}
