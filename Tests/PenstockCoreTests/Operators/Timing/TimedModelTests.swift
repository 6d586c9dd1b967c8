// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

/// Timed operators with random input, compared with models of a few lines that say what they should deliver and when.
@Suite struct TimedModelTests {
  /// Upstream's actions: it sends its dates, which are even numbers of seconds, and may end.
  private struct Script {
    var dates: [Int] = []
    var end: Int?
    var completion = Subscribers.Completion<TestError>.finished
    var demand = Subscribers.Demand.unlimited
    /// Further requests, with their dates in seconds.
    var requests: [(date: Double, units: Int)] = []

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
      for (date, units) in requests {
        scheduler.schedule(after: VirtualTime(nanoseconds: Int((date * 1e9).rounded()))) {
          recorder.request(.max(units))
        }
      }
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

  /// A model of `throttle` by its rules: a value waits for its date and for demand, but with an end for its date alone.
  private struct ThrottleModel {
    let latest: Bool
    var units: Int
    var expected: [String] = []
    private var emission: Double?
    private var end: String?
    private var pending: (value: Int, due: Double, isAwaitingDemand: Bool)?

    init(latest: Bool, units: Int) {
      self.latest = latest
      self.units = units
    }

    /// Publishes the values that are due before a date.
    mutating func advance(to date: Double) {
      guard let waiting = pending, !waiting.isAwaitingDemand, waiting.due < date else { return }
      expected.append("\(waiting.value) at \(text(waiting.due))")
      if units != .max { units -= 1 }
      (emission, pending) = (waiting.due, nil)
      if let end { expected.append("\(end) at \(text(waiting.due))") }
    }

    mutating func receive(_ value: Int, at date: Double) {
      advance(to: date)
      let next = emission.map { max($0 + 7, date) } ?? date
      switch pending {
      case nil where units > 0: pending = (value, next, false)
      case nil: pending = (value, latest ? next : next > date ? next : date + 7, true)
      case let waiting? where latest: pending = (value, waiting.due, waiting.isAwaitingDemand)
      case let waiting? where waiting.isAwaitingDemand && waiting.due <= date: pending = (value, date + 7, true)
      default: break
      }
      advance(to: date.nextUp)
    }

    mutating func request(_ more: Int, at date: Double) {
      advance(to: date)
      if units != .max { units += more }
      if more > 0, let waiting = pending, waiting.isAwaitingDemand {
        pending = (waiting.value, max(waiting.due, date), false)
      }
      advance(to: date.nextUp)
    }

    mutating func receive(_ end: String, at date: Double) {
      advance(to: date)
      if let pending, !pending.isAwaitingDemand { return self.end = end }
      // The end needs no demand: a value that waits for it goes with the end.
      pending = nil
      expected.append("\(end) at \(text(date))")
    }

    private func text(_ date: Double) -> String { VirtualTime(nanoseconds: Int((date * 1e9).rounded())).description }
  }

  @Test(arguments: [true, false])
  func `Throttle delivers one value at most for each interval, when it is requested`(_ latest: Bool) {
    for seed in 0..<400 {
      var script = Script(seed: seed)
      var generator = SeededGenerator(seed: UInt64(seed))
      // Each at a fraction of a second of its own, so that no two things happen at the same time.
      if script.demand != .unlimited {
        for number in 0..<Int.random(in: 0...8, using: &generator) {
          let date = Double(Int.random(in: 0...120, using: &generator)) + Double(number + 1) / 16
          script.requests.append((date, Int.random(in: 0...3, using: &generator)))
        }
      }
      var model = ThrottleModel(latest: latest, units: script.units)
      var steps: [(date: Double, act: () -> Void)] = script.dates.map { date in
        (Double(date), { model.receive(date, at: Double(date)) })
      }
      steps += script.requests.map { date, more in (date, { model.request(more, at: date) }) }
      if let end = script.end {
        steps.append((Double(end), { model.receive("\(script.completion)", at: Double(end)) }))
      }
      for step in steps.sorted(by: { $0.date < $1.date }) { step.act() }
      model.advance(to: .infinity)
      #expect(
        script.run { $0.throttle(for: 7, scheduler: $1, latest: latest) } == model.expected, "seed \(seed)")
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
