// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

@Suite struct AnySchedulerTests {
  private typealias Time = VirtualTimeScheduler<VirtualTime, Never>

  /// What a scheduler's actions do in ten seconds.
  private func course(_ scheduler: some Scheduler<VirtualTime>, on time: Time) -> [String] {
    let log = Locked<[String]>([])
    time.advance(by: 3)
    log.change { $0.append("\(scheduler.now) \(scheduler.minimumTolerance)") }
    scheduler.schedule { log.change { $0.append("at once") } }
    scheduler.schedule(after: 5, tolerance: 0.5) { log.change { $0.append("later") } }
    let ticks = scheduler.schedule(after: 4, interval: 1) { log.change { $0.append("tick \(time.now)") } }
    time.advance(by: 2)
    ticks.cancel()
    time.advance(by: 5)
    return log.value
  }

  @Test func `Everything is passed on`() {
    let times = (0..<2).map { _ in Time(now: .zero, minimumTolerance: 0.25) }
    let recordings = times.map { RecordingScheduler($0) }
    let plain = course(recordings[0], on: times[0])
    let erased = course(AnyScheduler(recordings[1]), on: times[1])
    #expect(erased == plain && plain.count == 5, "\(plain)")
    #expect(recordings[1].calls == recordings[0].calls)
  }

  @Test func `Operators work with an erased scheduler as with the one in it`() {
    let time = VirtualTimeScheduler()
    let scheduler: AnySchedulerOf<VirtualTimeScheduler<VirtualTime, Never>> = time.eraseToAnyScheduler()
    let (erased, plain) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    let subject = PassthroughSubject<Int, Never>()
    subject.debounce(for: 1, scheduler: scheduler).subscribe(erased)
    subject.debounce(for: 1, scheduler: time).subscribe(plain)
    for value in 1...4 {
      subject.send(value)
      time.advance(by: value == 2 ? 1.5 : 0.5)
    }
    time.advance(by: 5)
    #expect(erased.values == plain.values && plain.values == [2, 4])
  }

  @Test func `The scheduler in it lives as long as it does`() {
    var graveyard = Graveyard()
    var scheduler: AnyScheduler? = graveyard.watch(VirtualTimeScheduler()).eraseToAnyScheduler()
    #expect(graveyard.survivors.count == 1 && scheduler?.now == .zero)
    scheduler = nil
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `It crosses to another thread`() {
    let time = VirtualTimeScheduler()
    let scheduler = time.eraseToAnyScheduler()
    let count = Locked(0)
    onThreads(3) { _ in for _ in 0..<100 { scheduler.schedule { count.change { $0 += 1 } } } }
    time.advance(by: 0)
    #expect(count.value == 300)
  }
}
