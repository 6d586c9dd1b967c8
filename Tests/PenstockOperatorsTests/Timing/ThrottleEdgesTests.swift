// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

@Suite struct ThrottleEdgesTests {
  /// The outputs with their dates, for inputs at some dates.
  private func run(
    leading: Bool, trailing: Bool, ending: VirtualTime? = nil,
    _ inputs: [(VirtualTime, Int)] = [(0, 0), (0.1, 1), (0.2, 2), (0.6, 3), (0.7, 4), (0.9, 5), (1.2, 6), (3, 7)]
  ) -> [String] {
    let clock = VirtualTimeScheduler()
    let subject = PassthroughSubject<Int, Never>()
    var log: [String] = []
    let cancellable = subject.throttle(for: 0.5, scheduler: clock, leading: leading, trailing: trailing).sink(
      receiveCompletion: { log.append("\($0) \(clock.now)") }, receiveValue: { log.append("\($0) \(clock.now)") })
    for (date, value) in inputs { clock.schedule(after: date) { subject.send(value) } }
    if let ending { clock.schedule(after: ending) { subject.send(completion: .finished) } }
    clock.advance(to: 10)
    withExtendedLifetime(cancellable) {}
    return log
  }

  @Test func `With both edges, the first of all and then the latest of each interval, as with latest`() {
    #expect(run(leading: true, trailing: true) == ["0 0s", "2 0.5s", "5 1s", "6 1.5s", "7 3s"])
  }

  @Test func `With the leading edge alone, the first of each interval, at once`() {
    #expect(run(leading: true, trailing: false) == ["0 0s", "3 0.6s", "6 1.2s", "7 3s"])
  }

  @Test func `With the leading edge alone, the first of those that come before it has been delivered`() {
    #expect(run(leading: true, trailing: false, [(0, 0), (0, 1), (0.1, 2), (0.5, 3), (0.5, 4)]) == ["0 0s", "3 0.5s"])
  }

  @Test func `With the trailing edge alone, the latest of each interval, at its end`() {
    #expect(run(leading: false, trailing: true) == ["2 0.5s", "5 1s", "6 1.5s", "7 3.5s"])
  }

  @Test func `The completion comes with the value that waits, or at once`() {
    #expect(run(leading: true, trailing: true, ending: 1.3).suffix(2) == ["6 1.5s", "finished 1.5s"])
    #expect(run(leading: false, trailing: true, ending: 1.3).suffix(2) == ["6 1.5s", "finished 1.5s"])
    #expect(run(leading: true, trailing: false, ending: 1.3).suffix(2) == ["6 1.2s", "finished 1.3s"])
    #expect(run(leading: false, trailing: true, ending: 5).suffix(2) == ["7 3.5s", "finished 5s"])
  }

  @Test func `Random courses go as throttle with latest does`() {
    for seed in 0..<200 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let clock = VirtualTimeScheduler()
      let subject = PassthroughSubject<Int, TestError>()
      let (ours, theirs) = (Recorder<Int, TestError>(demand: nil), Recorder<Int, TestError>(demand: nil))
      subject.throttle(for: 3, scheduler: clock, leading: true, trailing: true).subscribe(ours)
      subject.throttle(for: 3, scheduler: clock, latest: true).subscribe(theirs)
      for step in 0..<80 {
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: subject.send(step)
        case 1:
          ours.request(.max(1))
          theirs.request(.max(1))
        default: clock.advance(by: 1)
        }
        #expect(ours.values == theirs.values, "seed \(seed), step \(step)")
      }
      // Requested or not, scheduled or not.
      subject.send(completion: seed.isMultiple(of: 2) ? .finished : .failure(.oops))
      clock.advance()
      #expect(ours.completions == theirs.completions, "seed \(seed), at once")
      clock.advance(by: 10)
      #expect(ours.events == theirs.events && ours.completions.count == 1, "seed \(seed)")
    }
  }

  // MARK: Demand

  @Test func `With the trailing edge, what waits for demand is replaced, and scheduled by a request`() {
    let clock = VirtualTimeScheduler()
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: nil)
    source.throttle(for: 1, scheduler: clock, leading: false, trailing: true).subscribe(recorder)
    #expect(source.calls == [.requested(.unlimited)])
    source.send(1)
    clock.advance(by: 5)
    source.send(2)
    #expect(clock.pending.isEmpty)
    recorder.request(.max(1))
    clock.advance()
    #expect(recorder.values == [2])
    source.send(3)
    source.send(completion: .finished)
    clock.advance()
    #expect(recorder.values == [2] && recorder.isFinished)
  }

  @Test func `With the leading edge alone, the value that begins the next interval replaces what waits`() {
    let clock = VirtualTimeScheduler()
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: nil)
    source.throttle(for: 2, scheduler: clock, leading: true, trailing: false).subscribe(recorder)
    source.send(1)
    clock.advance(by: 1)
    source.send(2)
    clock.advance(by: 1)
    source.send(3)
    clock.advance(by: 1)
    source.send(4)
    recorder.request(.max(1))
    clock.advance()
    #expect(recorder.values == [3])
    source.send(5)
    clock.advance(by: 2)
    source.send(6)
    recorder.request(.max(1))
    clock.advance()
    #expect(recorder.values == [3, 6])
  }

  @Test func `Demand that a delivery returns counts`() {
    let clock = VirtualTimeScheduler()
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: .max(1), answering: .max(1))
    source.throttle(for: 1, scheduler: clock, leading: true, trailing: true).subscribe(recorder)
    for value in 1...6 {
      source.send(value)
      clock.advance(by: 0.5)
    }
    clock.advance(by: 5)
    #expect(recorder.values == [1, 2, 4, 6])
  }

  // MARK: Ends

  @Test(arguments: [(true, true), (true, false), (false, true)])
  func `A cancel ends it at once, and leaves nothing when the action has run`(_ leading: Bool, _ trailing: Bool) {
    var graveyard = Graveyard()
    let clock = VirtualTimeScheduler()
    do {
      let subject = graveyard.watch(PassthroughSubject<Canary, Never>(), "subject")
      let recorder = graveyard.watch(Recorder<Canary, Never>(), "recorder")
      subject.throttle(for: 1, scheduler: clock, leading: leading, trailing: trailing).subscribe(recorder)
      for _ in 0..<3 { subject.send(graveyard.watch(Canary())) }
      recorder.dismiss()
      clock.advance(by: 1)
      #expect(recorder.values.isEmpty)
    }
    #expect(graveyard.survivors.isEmpty)
    #expect(clock.pending.isEmpty)
  }

  @Test func `Senders, requests and time on several threads keep the rules`() {
    for round in 0..<60 {
      let clock = VirtualTimeScheduler()
      let subject = PassthroughSubject<Int, Never>()
      let recorder = Recorder<Int, Never>(demand: nil)
      subject.throttle(for: 2, scheduler: clock, leading: round % 2 == 0, trailing: round % 3 > 0 || round % 2 == 1)
        .subscribe(recorder)
      onThreads([
        { for value in 0..<200 { subject.send(value) } },
        { for _ in 0..<100 { recorder.request(.max(2)) } },
        { for _ in 0..<200 { clock.advance(by: 1) } },
      ])
      subject.send(completion: .finished)
      clock.advance(by: 10)
      #expect(recorder.values == recorder.values.sorted() && Set(recorder.values).count == recorder.values.count)
      #expect(recorder.isFinished)
      #expect(!recorder.hasOverlapped)
      #expect(recorder.complaints.isEmpty)
    }
  }

  @Test func `A negative interval, and neither edge, trap`() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Just(1).throttle(for: -1, scheduler: VirtualTimeScheduler(), leading: true, trailing: true)
    }
    expectMessage(result, "throttle(for:) takes an interval of 0 or more, but was given -1s. Clamp the value")
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Just(1).throttle(for: 1, scheduler: VirtualTimeScheduler(), leading: false, trailing: false)
    }
    expectMessage(result, "throttle(leading:trailing:) takes true for one of both, but was given false for each")
  }
}
