// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

@Suite struct DebounceEachTests {
  private let clock = VirtualTimeScheduler()

  private func run(_ inputs: [(VirtualTime, Int)], ending: VirtualTime? = nil) -> [String] {
    let clock = VirtualTimeScheduler()
    let subject = PassthroughSubject<Int, Never>()
    var log: [String] = []
    // Each value waits for as many seconds as it counts.
    let cancellable = subject.debounce(for: { .seconds($0) }, scheduler: clock).sink(
      receiveCompletion: { log.append("\($0) \(clock.now)") }, receiveValue: { log.append("\($0) \(clock.now)") })
    for (date, value) in inputs { clock.schedule(after: date) { subject.send(value) } }
    if let ending { clock.schedule(after: ending) { subject.send(completion: .finished) } }
    clock.advance(to: 100)
    withExtendedLifetime(cancellable) {}
    return log
  }

  @Test func `A value waits for its own time`() {
    #expect(run([(0, 3), (10, 1)]) == ["3 3s", "1 11s"])
  }

  @Test func `A value replaces the one that waits, with a shorter time and with a longer one`() {
    #expect(run([(0, 9), (1, 2)]) == ["2 3s"])
    #expect(run([(0, 2), (1, 9)]) == ["9 10s"])
    #expect(run([(0, 2), (1, 9), (2, 1), (10, 0)]) == ["1 3s", "0 10s"])
  }

  @Test func `The completion comes at once, and the value that waits is dropped`() {
    #expect(run([(0, 3)], ending: 1) == ["finished 1s"])
  }

  @Test func `One timer waits, however many values come`() {
    let subject = PassthroughSubject<Int, Never>()
    let calls = Locked(0)
    let cancellable = subject.debounce(
      for: { value in
        calls.change { $0 += 1 }
        return .seconds(Double(10 - value % 7))
      }, scheduler: clock
    ).sink { _ in }
    for value in 0..<1_000 {
      subject.send(value)
      #expect(clock.pending.count == 1)
    }
    #expect(calls.value == 1_000)
    cancellable.cancel()
    #expect(clock.pending.isEmpty)
  }

  @Test func `It counts demand as debounce does`() {
    let source = ManualPublisher<Int, TestError>()
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    source.debounce(for: { _ in 1 }, scheduler: clock).subscribe(recorder)
    #expect(source.calls == [.requested(.unlimited)])
    _ = source.send(1)
    clock.advance(by: 1)
    // The value has not been requested when it is due, so it is dropped.
    _ = source.send(2)
    clock.advance(by: 1)
    recorder.request(.max(1))
    clock.advance(by: 5)
    _ = source.send(3)
    clock.advance(by: 1)
    #expect(recorder.values == [1, 3])
  }

  @Test func `Random courses go as with a timer for each value`() {
    for seed in 0..<200 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let clock = VirtualTimeScheduler()
      let subject = PassthroughSubject<Int, Never>()
      let recorder = Recorder<Int, Never>()
      subject.debounce(for: { .seconds($0 % 5) }, scheduler: clock).subscribe(recorder)
      var (expected, waiting) = ([Int](), nil as (value: Int, due: Int)?)
      for second in 0..<60 {
        clock.advance(by: 1)
        if let due = waiting, due.due <= second {
          expected.append(due.value)
          waiting = nil
        }
        if Bool.random(using: &generator) {
          let value = Int.random(in: 0..<1_000, using: &generator)
          subject.send(value)
          waiting = (value, second + value % 5)
        }
        #expect(clock.pending.count <= 1)
        if let due = waiting, due.due == second {
          clock.advance()
          expected.append(due.value)
          waiting = nil
        }
      }
      #expect(recorder.values == expected, "seed \(seed)")
    }
  }

  @Test func `A negative time traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let cancellable = Just(1).debounce(for: { _ in -1 }, scheduler: VirtualTimeScheduler()).sink { _ in }
      withExtendedLifetime(cancellable) {}
    }
    expectMessage(result, "debounce(for:) takes a time of 0 or more, but was given -1s. Clamp the value")
  }
}
