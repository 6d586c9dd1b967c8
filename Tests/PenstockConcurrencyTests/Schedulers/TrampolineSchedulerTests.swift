// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockTesting
import TestSupport
import Testing

@Suite struct TrampolineSchedulerTests {
  private let time = VirtualTimeScheduler()
  private let performed = Locked<[Int]>([])

  private func note(_ number: Int) { performed.change { $0.append(number) } }

  @Test func `An action is performed at once, and those that are scheduled during it after it`() {
    let scheduler = TrampolineScheduler()
    scheduler.schedule {
      scheduler.schedule {
        scheduler.schedule { note(4) }
        note(2)
      }
      scheduler.schedule { note(3) }
      note(1)
    }
    #expect(performed.value == [1, 2, 3, 4])
    scheduler.schedule { note(5) }
    #expect(performed.value == [1, 2, 3, 4, 5])
  }

  @Test func `A stream that feeds back into itself does not grow the stack`() {
    onSmallStack {
      let subject = PassthroughSubject<Int, Never>()
      let recorder = Recorder<Int, Never>()
      recorder.onValue = { value in
        if value < 50_000 { subject.send(value + 1) }
        return .none
      }
      subject.receive(on: TrampolineScheduler()).subscribe(recorder)
      subject.send(1)
      #expect(recorder.values == Array(1...50_000))
      #expect(!recorder.hasOverlapped)
    }
  }

  @Test func `Actions of another thread are performed by the one that performs`() {
    let scheduler = TrampolineScheduler()
    scheduler.schedule {
      elsewhere { scheduler.schedule { note(2) } }
      note(1)
    }
    #expect(performed.value == [1, 2])
  }

  @Test func `Two schedulers do not wait for each other`() {
    let (one, two) = (TrampolineScheduler(), TrampolineScheduler())
    one.schedule {
      two.schedule { note(1) }
      note(2)
    }
    #expect(performed.value == [1, 2])
  }

  @Test func `A date is waited for by the clock`() {
    let scheduler = TrampolineScheduler(clock: VirtualClock(time))
    scheduler.schedule(after: scheduler.now) { note(0) }
    #expect(performed.value == [0])
    scheduler.schedule(after: scheduler.now.advanced(by: .seconds(2))) { note(2) }
    scheduler.schedule(after: scheduler.now.advanced(by: .seconds(1))) { note(1) }
    let ticks = scheduler.schedule(after: scheduler.now.advanced(by: .seconds(3)), interval: .seconds(1)) { note(3) }
    time.advance(by: 1)
    #expect(performed.value == [0, 1])
    time.advance(by: 3)
    #expect(performed.value == [0, 1, 2, 3, 3])
    ticks.cancel()
    time.advance(by: 3)
    #expect(performed.value == [0, 1, 2, 3, 3])
  }

  @Test func `Actions of several threads are performed one at a time, and none is lost`() {
    for _ in 0..<50 {
      let scheduler = TrampolineScheduler()
      let (recorder, performed) = (Recorder<Int, Never>(), Locked<[Int]>([]))
      onThreads(3) { thread in
        for number in 0..<100 {
          scheduler.schedule {
            _ = recorder.receive(number)
            performed.change { $0.append(thread * 1_000 + number) }
          }
        }
      }
      // The thread that performs the last action may still be running it when the others have returned; here all have
      // returned.
      #expect(!recorder.hasOverlapped)
      for thread in 0..<3 {
        #expect(performed.value.filter { $0 / 1_000 == thread } == (0..<100).map { thread * 1_000 + $0 })
      }
    }
  }

  @Test func `An action is released when it has been performed`() {
    var graveyard = Graveyard()
    let scheduler = TrampolineScheduler(clock: VirtualClock(time))
    do {
      let canary = graveyard.watch(Canary(), "action")
      scheduler.schedule { withExtendedLifetime(canary) {} }
      scheduler.schedule(after: scheduler.now.advanced(by: .seconds(1))) { withExtendedLifetime(canary) {} }
    }
    time.advance(by: 1)
    #expect(graveyard.survivors.isEmpty)
  }
}
