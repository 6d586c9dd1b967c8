// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

/// Timed operators with random input, compared with models that say in a few lines what they should deliver when.
@Suite struct TimedModelTests {
  /// Upstream's actions: it sends its dates, which are even numbers of seconds, and may end.
  private struct Script {
    var dates: [Int] = []
    var end: Int?
    var completion = Subscribers.Completion<TestError>.finished
    var demand = Subscribers.Demand.unlimited

    init(seed: Int, countsDemand: Bool = true) {
      var generator = SeededGenerator(seed: UInt64(seed))
      var date = 0
      for _ in 0..<Int.random(in: 0...15, using: &generator) {
        date += 2 * .random(in: 1...8, using: &generator)
        dates.append(date)
      }
      if Bool.random(using: &generator) { end = date + 2 * .random(in: 1...10, using: &generator) }
      if Bool.random(using: &generator) { completion = .failure(.oops) }
      if countsDemand, Bool.random(using: &generator) { demand = .max(.random(in: 0...4, using: &generator)) }
    }

    var units: Int { demand.max ?? .max }

    /// The outputs of an operator with their dates.
    func run<P: Publisher<Int, TestError>>(
      _ apply: (PassthroughSubject<Int, TestError>, VirtualTimeScheduler<VirtualTime, Never>) -> P
    ) -> [String] {
      let scheduler = VirtualTimeScheduler()
      let subject = PassthroughSubject<Int, TestError>()
      var log: [String] = []
      let recorder = Recorder<Int, TestError>(demand: demand)
      recorder.onValue = {
        log.append("\($0) at \(scheduler.now)")
        return .none
      }
      recorder.onCompletion = { log.append("\($0) at \(scheduler.now)") }
      for date in dates { scheduler.schedule(after: time(date)) { subject.send(date) } }
      if let end { scheduler.schedule(after: time(end)) { subject.send(completion: completion) } }
      apply(subject, scheduler).subscribe(recorder)
      scheduler.advance(to: time(1_000))
      recorder.cancel()
      #expect(scheduler.pending.isEmpty)
      return log
    }

    private func time(_ seconds: Int) -> VirtualTime { VirtualTime(nanoseconds: seconds * 1_000_000_000) }
  }

  @Test func `Debounce delivers what is followed by silence`() {
    for seed in 0..<200 {
      let script = Script(seed: seed)
      var units = script.units
      var expected: [String] = []
      for (index, date) in script.dates.enumerated() {
        let next = index + 1 < script.dates.count ? script.dates[index + 1] : script.end ?? .max
        guard date + 5 < next, units > 0 else { continue }
        units -= 1
        expected.append("\(date) at \(date + 5)s")
      }
      if let end = script.end { expected.append("\(script.completion) at \(end)s") }
      #expect(script.run { $0.debounce(for: 5, scheduler: $1) } == expected, "seed \(seed)")
    }
  }

  @Test(arguments: [true, false])
  func `Throttle delivers one value at most for each interval`(_ latest: Bool) {
    for seed in 0..<200 {
      let script = Script(seed: seed)
      var units = script.units
      var expected: [String] = []
      var emission: Int?
      var pending: (value: Int, date: Int)?
      func emitPending(before date: Int) {
        guard let due = pending, due.date < date else { return }
        expected.append("\(due.value) at \(due.date)s")
        (emission, pending) = (due.date, nil)
      }
      for date in script.dates {
        emitPending(before: date)
        if let waiting = pending {
          if latest { pending = (date, waiting.date) }
        } else if units > 0 {
          units -= 1
          pending = (date, max(date, emission.map { $0 + 7 } ?? date))
          emitPending(before: date + 1)
        }
      }
      emitPending(before: script.end ?? .max)
      if let end = script.end {
        let last = pending?.date ?? end
        emitPending(before: .max)
        expected.append("\(script.completion) at \(last)s")
      }
      #expect(script.run { $0.throttle(for: 7, scheduler: $1, latest: latest) } == expected, "seed \(seed)")
    }
  }

  @Test func `Timeout ends a stream at its first long silence`() {
    for seed in 0..<200 {
      let script = Script(seed: seed, countsDemand: false)
      var expected: [String] = []
      var last = 0
      for date in script.dates {
        guard date < last + 13 else { break }
        expected.append("\(date) at \(date)s")
        last = date
      }
      if let end = script.end, end < last + 13, last == script.dates.last ?? 0 {
        expected.append("\(script.completion) at \(end)s")
      } else {
        expected.append("finished at \(last + 13)s")
      }
      #expect(script.run { $0.timeout(13, scheduler: $1) } == expected, "seed \(seed)")
    }
  }
}
