// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

/// A scheduler whose timers are late.
struct LateScheduler: Scheduler {
  let base = VirtualTimeScheduler()
  let lateness: VirtualTime.Stride

  init(by lateness: VirtualTime.Stride) { self.lateness = lateness }

  var now: VirtualTime { base.now }
  var minimumTolerance: VirtualTime.Stride { base.minimumTolerance }

  func schedule(options: Never?, _ action: @escaping () -> Void) { base.schedule(options: options, action) }

  func schedule(
    after date: VirtualTime, tolerance: VirtualTime.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    base.schedule(after: date.advanced(by: lateness), tolerance: tolerance, options: options, action)
  }

  func schedule(
    after date: VirtualTime, interval: VirtualTime.Stride, tolerance: VirtualTime.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    base.schedule(
      after: date.advanced(by: lateness), interval: interval, tolerance: tolerance, options: options, action)
  }
}

@Suite struct PaceTests {
  private func bench(_ count: Int = 10, burst: Int = 3, demand: Subscribers.Demand? = .unlimited) -> RequestBench {
    RequestBench(demand: demand) { source, clock in
      source.pace(count, per: .seconds(1), burst: burst, scheduler: clock)
    }
  }

  @Test func `A burst comes at once, and then one value for each token`() {
    let clock = VirtualTimeScheduler()
    let dates = Locked<[VirtualTime]>([])
    let cancellable = (1...6).publisher.pace(10, per: .seconds(1), burst: 3, scheduler: clock)
      .sink { _ in dates.change { $0.append(clock.now) } }
    #expect(dates.value == [0, 0, 0])
    clock.advance(by: 1)
    #expect(dates.value == [0, 0, 0, 0.1, 0.2, 0.3])
    #expect(clock.pending.isEmpty)
    withExtendedLifetime(cancellable) {}
  }

  @Test func `Time without values fills the bucket up to its ceiling, and not beyond`() {
    let bench = bench()
    #expect(bench.granted == .max(3))
    bench.clock.advance(by: 60)
    #expect(bench.granted == .max(3))
    bench.send(1, 2, 3)
    #expect(bench.outstanding == 0)
    bench.clock.advance(by: 0.1)
    #expect(bench.granted == .max(4))
    bench.clock.advance(by: 60)
    #expect(bench.outstanding == 3)
    #expect(bench.clock.pending.isEmpty)
  }

  @Test func `A value takes its token when it comes, and the next token flows from then on`() {
    let bench = bench()
    bench.clock.advance(by: 5)
    bench.send(1)
    #expect(bench.clock.pending.count == 1)
    bench.clock.advance(by: 0.05)
    bench.send(2)
    #expect(bench.clock.pending.count == 1)
    bench.clock.advance(by: 0.049)
    #expect(bench.granted == .max(3))
    bench.clock.advance(by: 0.001)
    #expect(bench.granted == .max(4))
    bench.clock.advance(by: 0.1)
    #expect(bench.granted == .max(5))
    bench.clock.advance(by: 5)
    #expect(bench.granted == .max(5))
  }

  @Test func `No more is requested than downstream wants, and no timer runs for what it does not want`() {
    let bench = bench(demand: .max(2))
    #expect(bench.granted == .max(2))
    bench.send(1, 2)
    #expect(bench.clock.pending.isEmpty)
    bench.recorder.request(.max(3))
    #expect(bench.granted == .max(3))
    #expect(bench.clock.pending.count == 1)
    bench.clock.advance(by: 0.2)
    #expect(bench.granted == .max(5))
    #expect(bench.clock.pending.isEmpty)
  }

  @Test func `Tokens that are not whole nanoseconds add up`() {
    let bench = RequestBench(demand: .unlimited) { source, clock in
      source.pace(3, per: .nanoseconds(10), burst: 2, scheduler: clock)
    }
    for value in 0..<30 {
      bench.send(value)
      while bench.outstanding == 0 { bench.clock.advance(by: .nanoseconds(1)) }
    }
    #expect(bench.clock.now == VirtualTime.zero.advanced(by: .nanoseconds(97)))
  }

  @Test func `One timer at a time, and none after the end`() {
    for ending in 0..<3 {
      let bench = bench()
      bench.send(1, 2, 3)
      #expect(bench.clock.pending.count == 1)
      switch ending {
      case 0: bench.recorder.cancel()
      case 1: bench.source.send(completion: .finished)
      default: bench.source.send(completion: .failure(.oops))
      }
      #expect(bench.clock.pending.isEmpty)
      bench.clock.advance(by: 5)
      bench.recorder.request(.max(1))
      #expect(bench.granted == .max(3))
    }
  }

  @Test(arguments: [true, false])
  func `Demand from a delivery counts at once`(_ isReturned: Bool) {
    let bench = bench(burst: 2, demand: .max(1))
    bench.recorder.onValue = { _ in
      if isReturned { return .max(1) }
      bench.recorder.request(.max(1))
      return .none
    }
    bench.send(1, 2)
    #expect(bench.granted == .max(2))
    bench.clock.advance(by: 0.1)
    #expect(bench.granted == .max(3))
    #expect(bench.recorder.values == [1, 2])
  }

  @Test func `Values that were not requested pass, and leave a debt`() {
    let bench = bench(burst: 1)
    bench.send(1, 2, 3)
    #expect(bench.recorder.values == [1, 2, 3])
    bench.clock.advance(by: 0.29)
    #expect(bench.granted == .max(1))
    bench.clock.advance(by: 0.01)
    #expect(bench.granted == .max(2))
  }

  @Test func `Nothing recurses, whatever the scheduler and the source do at once`() {
    onSmallStack {
      let schedulers: [AnyScheduler<VirtualTime, Never>] = [.immediate(now: 0)]
      for scheduler in schedulers {
        let recorder = Recorder<Int, Never>()
        (0..<100_000).publisher.pace(1, per: .seconds(1), burst: 1, scheduler: scheduler).subscribe(recorder)
        #expect(recorder.values.count == 100_000)
        #expect(recorder.isFinished)
      }
      let recorder = Recorder<Int, Never>()
      (0..<100_000).publisher.pace(1, per: .seconds(1), burst: 9, scheduler: ImmediateScheduler.shared)
        .subscribe(recorder)
      #expect(recorder.values.count == 100_000)
    }
  }

  @Test func `Everything is released at the end, and by the timer`() {
    var graveyard = Graveyard()
    let clock = VirtualTimeScheduler()
    do {
      let subject = graveyard.watch(PassthroughSubject<Canary, Never>(), "subject")
      let recorder = graveyard.watch(Recorder<Canary, Never>(), "recorder")
      subject.pace(1, per: .seconds(1), scheduler: clock).subscribe(recorder)
      subject.send(graveyard.watch(Canary()))
      recorder.dismiss()
    }
    #expect(graveyard.survivors.isEmpty)
    #expect(clock.pending.isEmpty)
  }

  @Test(arguments: [(1, 1), (2, 1), (5, 3), (10, 2), (10, 7)])
  func `Every random course goes as in a bucket that is counted in every twentieth of a second`(
    _ count: Int, _ burst: Int
  ) {
    for seed in 0..<150 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let bench = bench(count, burst: burst, demand: nil)
      // Twentieths of a token.
      var level = 20 * burst
      var (wanted, outstanding, granted) = (0, 0, 0)
      func grant() {
        let more = min(wanted, level / 20 - outstanding)
        guard more > 0 else { return }
        (wanted, outstanding, granted) = (wanted - more, outstanding + more, granted + more)
      }
      for step in 0..<80 {
        switch Int.random(in: 0..<3, using: &generator) {
        case 0 where outstanding > 0:
          bench.send(step)
          outstanding -= 1
          level -= 20
          grant()
        case 1:
          let more = Int.random(in: 1...4, using: &generator)
          bench.recorder.request(.max(more))
          wanted += more
          grant()
        default:
          for _ in 0..<Int.random(in: 1...9, using: &generator) {
            bench.clock.advance(by: 0.05)
            level = min(20 * burst, level + count)
            grant()
          }
        }
        #expect(bench.granted == .max(granted), "seed \(seed), step \(step)")
        #expect(bench.clock.pending.count <= 1)
      }
      #expect(bench.recorder.complaints.isEmpty)
    }
  }

  @Test func `Requests and time on several threads lose nothing`() {
    for round in 0..<60 {
      let clock = VirtualTimeScheduler()
      let recorder = Recorder<Int, Never>(demand: nil)
      (0..<300).publisher.pace(1, per: .nanoseconds(2), burst: 1 + round % 5, scheduler: clock).subscribe(recorder)
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

  @Test func `A burst without a limit lets everything through`() {
    let clock = VirtualTimeScheduler()
    for isByCost in [false, true] {
      let recorder = Recorder<Int, Never>(demand: .max(2))
      if isByCost {
        (1...9).publisher.pace(1, per: .seconds(1), burst: .max, scheduler: clock) { _ in 1 }.subscribe(recorder)
      } else {
        (1...9).publisher.pace(1, per: .seconds(1), burst: .max, scheduler: clock).subscribe(recorder)
      }
      recorder.request(.max(3))
      #expect(recorder.values == Array(1...5))
      recorder.request(.unlimited)
      #expect(recorder.values == Array(1...9) && recorder.isFinished)
      #expect(clock.pending.isEmpty)
    }
  }

  @Test(arguments: [true, false])
  func `A timer that is late costs no value, with a burst of one`(_ isByCost: Bool) {
    for lateness in [0, 0.03, 0.07, 0.1] {
      let clock = LateScheduler(by: .seconds(lateness))
      let recorder = Recorder<Int, Never>()
      var dates: [VirtualTime] = []
      recorder.onValue = { _ in
        dates.append(clock.now)
        return .none
      }
      if isByCost {
        (0..<200).publisher.pace(10, per: .seconds(1), scheduler: clock) { _ in 1 }.subscribe(recorder)
      } else {
        (0..<200).publisher.pace(10, per: .seconds(1), scheduler: clock).subscribe(recorder)
      }
      clock.base.advance(by: 10.2)
      #expect((101...103).contains(recorder.values.count), "late by \(lateness)")
      // In no second do more values arrive than flow in one second, plus the burst.
      for (index, date) in dates.enumerated() where index >= 11 {
        #expect(dates[index - 11].distance(to: date) >= .seconds(0.99), "late by \(lateness)")
      }
      recorder.cancel()
    }
  }

  @Test func `A timer that is later than a token lets no two values through at once`() {
    let clock = LateScheduler(by: .seconds(0.35))
    let recorder = Recorder<Int, Never>()
    var dates: [VirtualTime] = []
    recorder.onValue = { _ in
      dates.append(clock.now)
      return .none
    }
    (0..<50).publisher.pace(10, per: .seconds(1), scheduler: clock).subscribe(recorder)
    clock.base.advance(by: 10)
    #expect(Set(dates).count == dates.count && dates.count > 20)
    recorder.cancel()
  }

  @Test func `What a timer was late is not made up for after a pause`() {
    let clock = LateScheduler(by: .seconds(0.1))
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>()
    source.pace(10, per: .seconds(1), scheduler: clock).subscribe(recorder)
    #expect(source.send(1) == .none)
    clock.base.advance(by: 0.2)
    #expect(source.calls == [.requested(.max(1)), .requested(.max(1))])
    clock.base.advance(by: 60)
    #expect(source.send(2) == .none, "the next token has not flowed")
    clock.base.advance(by: 0.19)
    #expect(source.calls.count == 2)
    clock.base.advance(by: 0.01)
    #expect(source.calls.count == 3)
    recorder.cancel()
  }

  @Test func `Numbers that are not positive trap`() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Just(1).pace(0, per: .seconds(1), scheduler: ImmediateScheduler.shared)
    }
    expectMessage(result, "pace(_:per:) takes a count of 1 or more, but was given 0. Clamp the value")
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Just(1).pace(1, per: .seconds(1), burst: 0, scheduler: ImmediateScheduler.shared)
    }
    expectMessage(result, "pace(burst:) takes a burst of 1 or more, but was given 0. Clamp the value")
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Just(1).pace(1, per: .zero, scheduler: ImmediateScheduler.shared)
    }
    expectMessage(result, "pace(per:) takes an interval of a nanosecond or more, but was given 0.0 seconds. Clamp")
  }
}
