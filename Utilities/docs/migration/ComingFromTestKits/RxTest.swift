// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockTesting

enum ComingFromRxTest {
  // RxTest | `observer.events`, `Recorded`
  static func events() {
    let (scheduler, subject) = (VirtualTimeScheduler(), PassthroughSubject<String, Never>())
    let recording = subject.delay(for: 10, scheduler: scheduler).record(timedBy: scheduler)
    scheduler.schedule(after: 200) { subject.send("a") }
    scheduler.advance(to: 300)
    expect(recording.timed, [.value("a", at: 210)])
    expect("\(recording.timed)", "[210s → value a]")
    recording.cancel()
  }

  // RxTest | `.next(210, "a")`, `.completed(300)`, `.error(300, e)`
  static func recorded() {
    let (scheduler, subject) = (VirtualTimeScheduler(), PassthroughSubject<String, Trouble>())
    let (whole, short) = (subject.record(timedBy: scheduler), subject.prefix(1).record(timedBy: scheduler))
    scheduler.advance(to: 210)
    subject.send("a")
    scheduler.advance(to: 300)
    subject.send(completion: .failure(.offline))
    expect(whole.timed, [.value("a", at: 210), .failure(.offline, at: 300)])
    expect(short.timed, [.value("a", at: 210), .finished(at: 210)])
  }

  // RxTest | `Subscription(200, 300)`
  static func subscription() {
    let (scheduler, upstream) = (VirtualTimeScheduler(now: 200), TestPublisher<Int, Never>())
    let recording = upstream.record(timedBy: scheduler, demand: .none)
    scheduler.advance(to: 300)
    recording.cancel()
    expect(recording.timedCalls, [.subscription(at: 200), .cancelled(at: 300)])
  }

  // RxTest | `scheduler.scheduleAt(210)`
  static func scheduleAt() {
    let (scheduler, subject) = (VirtualTimeScheduler(), PassthroughSubject<Int, Never>())
    let recording = subject.record(timedBy: scheduler)
    scheduler.schedule(after: 210) { subject.send(1) }
    scheduler.advance(to: 400)
    expect(recording.timed, [.value(1, at: 210)])
    recording.cancel()
  }

  // RxTest | `scheduler.start()`
  static func start() throws {
    let scheduler = VirtualTimeScheduler()
    let recording = [1, 2].publisher.delay(for: 5, scheduler: scheduler).record(timedBy: scheduler)
    try scheduler.run()
    expect(recording.timed, [.value(1, at: 5), .value(2, at: 5), .finished(at: 5)])
    scheduler.advance(to: 1_000)
    expect(scheduler.now, 1_000)
  }
}
