// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

@Suite struct IntervalTests {
  @Test func `The timer starts with the first request, and ticks at multiples of the interval`() {
    let scheduler = VirtualTimeScheduler()
    let recorder = Recorder<VirtualTime, Never>(demand: nil)
    Publishers.interval(2, scheduler: scheduler).subscribe(recorder)
    scheduler.advance(by: 5)
    #expect(scheduler.pending.isEmpty && recorder.values.isEmpty)
    recorder.request(.unlimited)
    scheduler.advance(by: 7)
    #expect(recorder.values == [7, 9, 11].map { VirtualTime.zero.advanced(by: $0) })
    #expect(recorder.subscriptionTexts == ["Interval"] && recorder.completions.isEmpty)
    recorder.cancel()
    #expect(scheduler.pending.isEmpty)
  }

  @Test func `Ticks that nobody requested are dropped, and the rhythm stays`() {
    let scheduler = VirtualTimeScheduler()
    let recorder = Recorder<VirtualTime, Never>(demand: .max(1))
    Publishers.interval(1, scheduler: scheduler).subscribe(recorder)
    scheduler.advance(by: 3.5)
    #expect(recorder.values.count == 1)
    recorder.request(.max(2))
    scheduler.advance(by: 5)
    #expect(recorder.values == [1, 4, 5].map { VirtualTime.zero.advanced(by: $0) })
    #expect(recorder.complaints.isEmpty)
    recorder.cancel()
  }

  @Test(arguments: [0, -1, -1e300, .nan])
  func `An interval of zero, of less, or of no number is 0.0001 s`(_ seconds: Double) {
    let scheduler = VirtualTimeScheduler()
    let recorder = Recorder<VirtualTime, Never>()
    Publishers.interval(.seconds(seconds), scheduler: scheduler).subscribe(recorder)
    scheduler.advance(by: .milliseconds(1))
    #expect(recorder.values == (1...10).map { VirtualTime(nanoseconds: $0 * 100_000) })
    recorder.cancel()
  }

  @Test func `Demand that a tick returns or requests counts for the next`() {
    for isReturned in [false, true] {
      let scheduler = VirtualTimeScheduler()
      let recorder = Recorder<VirtualTime, Never>(demand: .max(1))
      recorder.onValue = { [unowned recorder] _ in
        if recorder.values.count == 3 { return .none }
        if !isReturned { recorder.request(.max(1)) }
        return isReturned ? .max(1) : .none
      }
      Publishers.interval(1, scheduler: scheduler).subscribe(recorder)
      scheduler.advance(by: 9)
      #expect(recorder.values.count == 3 && recorder.complaints.isEmpty)
      recorder.cancel()
    }
  }

  @Test func `A cancel within a tick stops the timer, and nothing is left`() {
    var graveyard = Graveyard()
    let scheduler = VirtualTimeScheduler()
    do {
      let recorder = graveyard.watch(Recorder<VirtualTime, Never>())
      recorder.onValue = { [unowned recorder] _ in
        recorder.cancel()
        return .max(1)
      }
      Publishers.interval(1, scheduler: scheduler).subscribe(recorder)
    }
    #expect(graveyard.survivors.count == 1)
    scheduler.advance(by: 3)
    #expect(scheduler.pending.isEmpty && graveyard.survivors.isEmpty)
  }

  @Test func `A cancel while the timer is being set cancels the timer`() {
    let scheduler = InterruptedScheduler()
    let recorder = Recorder<VirtualTime, Never>(demand: nil)
    Publishers.interval(1, scheduler: scheduler).subscribe(recorder)
    scheduler.onTimer = { recorder.cancel() }
    recorder.request(.unlimited)
    #expect(scheduler.base.pending.isEmpty)
  }

  @Test func `Each subscriber has a timer of its own`() {
    let scheduler = VirtualTimeScheduler()
    let ticks = Publishers.interval(2, scheduler: scheduler)
    let (first, second) = (Recorder<VirtualTime, Never>(), Recorder<VirtualTime, Never>())
    ticks.subscribe(first)
    scheduler.advance(by: 1)
    ticks.subscribe(second)
    scheduler.advance(by: 2)
    #expect(first.values == [VirtualTime.zero.advanced(by: 2)])
    #expect(second.values == [VirtualTime.zero.advanced(by: 3)])
    for recorder in [first, second] { recorder.cancel() }
  }

  @Test func `A request for nothing traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let recorder = Recorder<VirtualTime, Never>(demand: nil)
      Publishers.interval(1, scheduler: VirtualTimeScheduler()).subscribe(recorder)
      recorder.request(.none)
    }
    expectMessage(result, "request(.none)")
  }
}
