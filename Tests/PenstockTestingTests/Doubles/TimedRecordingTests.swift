// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

private enum Fault: Error { case oops }

@Suite struct TimedRecordingTests {
  @Test func `Values and the completion have the times at which they came`() throws {
    let (time, typed) = (VirtualTimeScheduler(), PassthroughSubject<String, Fault>())
    let recording = typed.debounce(for: 0.3, scheduler: time).record(timedBy: time)
    for (pause, text) in [(0.1, "g"), (0.2, "ga"), (1, "gate")] as [(VirtualTime.Stride, String)] {
      typed.send(text)
      time.advance(by: pause)
    }
    typed.send(completion: .failure(.oops))
    time.advance()
    #expect(recording.timed == [.value("gate", at: 0.6), .failure(.oops, at: 1.3)])
    #expect(recording.timed.map(\.description) == ["0.6s → value gate", "1.3s → failure oops"])
    #expect("\(recording.timed)" == "[0.6s → value gate, 1.3s → failure oops]")
    // They count as read.
    try recording.finish()
  }

  @Test func `Every call in both directions has its time, in the order of the trace`() throws {
    let (time, upstream) = (VirtualTimeScheduler(now: 10), TestPublisher<Int, Never>())
    let recording = upstream.record(
      timedBy: time, demand: .max(1).request(.max(1), after: 1).returning(.max(2), after: 2).cancel(after: 3))
    for number in 1...3 {
      time.advance(by: 1)
      upstream.send(number)
    }
    #expect(
      recording.timedCalls == [
        .subscription(at: 10), .requested(.max(1), at: 10), .value(1, at: 11), .requested(.max(1), at: 11),
        .value(2, at: 12), .returned(.max(2), at: 12), .value(3, at: 13), .cancelled(at: 13),
      ])
    let words = recording.trace.events.map { $0.description.prefix { $0 != " " } }
    #expect(words == recording.timedCalls.map { $0.description.split(separator: " ")[1] })
    #expect(recording.timedCalls[1].time == 10)
    try recording.finish()
  }

  @Test func `Requests and a cancel of the test are timed, and a recording that waits for its stream is, too`() throws {
    let time = VirtualTimeScheduler()
    let recording = Recording<Int, Never>("numbers", timedBy: time, demand: .none)
    #expect(recording.timedCalls == [])
    time.advance(by: 1)
    recording.subscribe(to: (1...9).publisher)
    recording.request(.max(1))
    time.advance(by: 1)
    recording.cancel()
    #expect(
      recording.timedCalls.map(\.description) == [
        "1s → subscription", "1s ← request(1)", "1s → value 1", "2s ← cancel()",
      ])
    #expect(recording.timed == [.value(1, at: 1)])
    let all = Empty<Int, Never>().record(timedBy: time)
    #expect(all.timedCalls.map(\.description).contains("2s ← request(unlimited)"))
    #expect(all.timed == [.finished(at: 2)])
  }

  @Test func `Calls differ by their times, their kind and what they carry`() {
    typealias Timed = Recording<Int, Fault>.Timed
    let calls: [Timed] = [
      .subscription(at: 1), .value(1, at: 1), .value(2, at: 1), .value(1, at: 2), .finished(at: 1),
      .failure(.oops, at: 1), .requested(.max(1), at: 1), .returned(.max(1), at: 1), .cancelled(at: 1),
    ]
    for (index, call) in calls.enumerated() {
      #expect(calls.filter { $0 == call }.count == 1, "\(call)")
      #expect(Timed(time: call.time, call: call.call) == call && calls.firstIndex(of: call) == index)
    }
    #expect(calls[7].description == "1s ← returns 1")
  }

  @Test func `Values that cannot be compared are described`() {
    let time = VirtualTimeScheduler()
    let recording = Just(1).map { (number: $0, text: "gate") }.delay(for: 2, scheduler: time).record(timedBy: time)
    time.advance(by: 2)
    #expect(recording.timed.map(\.description) == ["2s → value (number: 1, text: \"gate\")", "2s → finished"])
  }

  @Test func `The time of a scheduler with another type of time is that of its clock`() {
    let time = TestScheduler<Ticks, Never>(now: Ticks(value: 700))
    time.advance(by: 2)
    let recording = Just(1).delay(for: 1, scheduler: time).record(timedBy: time)
    let labeled = Just(1).delay(for: 2, scheduler: time).record(timedBy: time.labeled("late"))
    time.advance(by: 3)
    #expect(recording.timed == [.value(1, at: 3), .finished(at: 3)])
    #expect(labeled.timed == [.value(1, at: 4), .finished(at: 4)])
  }

  @Test func `The time of any other scheduler is counted from the making of the recording`() {
    let time = TestScheduler<Ticks, Never>(now: Ticks(value: 700))
    time.advance(by: 2)
    let recording = Just(1).delay(for: 1, scheduler: time).record(timedBy: RecordingScheduler(time))
    time.advance(by: 3)
    #expect(recording.timed == [.value(1, at: 1), .finished(at: 1)])
    let virtual = VirtualTimeScheduler(now: 7)
    #expect(Empty<Int, Never>().record(timedBy: RecordingScheduler(virtual)).timed == [.finished(at: 7)])
    #expect(Empty<Int, Never>().record(timedBy: ImmediateScheduler.shared).timed == [.finished(at: 0)])
  }

  @Test func `Times of a scheduler all of whose units are nothing are zero`() {
    let time = TestScheduler<ImmediateScheduler.SchedulerTimeType, Never>(now: ImmediateScheduler.shared.now)
    #expect(time.clock.now.time == .zero)
  }

  @Test func `A recording without a scheduler traps when it is asked for times, with its name and the fix`() async {
    expectMessage(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Just(1).record("search", atEnd: []).timed
      }, "search: A recording keeps times only on a scheduler. Make it by record(timedBy:)")
  }
}

/// A time that is not the product's, with its intervals.
private struct Ticks: Strideable, Sendable {
  var value: Int

  func distance(to other: Ticks) -> VirtualTime.Stride { .seconds(other.value - value) }
  func advanced(by n: VirtualTime.Stride) -> Ticks { Ticks(value: value + n.nanoseconds / 1_000_000_000) }
}
