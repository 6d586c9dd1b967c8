// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

/// Upstream, the scheduler's threads, requests and a cancel, all at the same time.
@Suite struct TimedRaceTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let apply: @Sendable (PassthroughSubject<Int, TestError>, CrowdScheduler) -> AnyPublisher<Int, TestError>

    init<P: Publisher<Int, TestError> & SendableMetatype>(
      _ name: String, _ apply: @escaping @Sendable (PassthroughSubject<Int, TestError>, CrowdScheduler) -> P
    ) {
      testDescription = name
      self.apply = { apply($0, $1).eraseToAnyPublisher() }
    }
  }

  static let cases: [Case] = [
    Case("receive(on:)") { $0.receive(on: $1) },
    Case("subscribe(on:)") { $0.subscribe(on: $1) },
    Case("delay") { $0.delay(for: 1, scheduler: $1) },
    Case("debounce") { $0.debounce(for: 1, scheduler: $1) },
    Case("throttle") { $0.throttle(for: 1, scheduler: $1, latest: true) },
    Case("timeout") { $0.timeout(1, scheduler: $1) },
    Case("collect by time") { $0.collect(.byTime($1, 1)).compactMap(\.last) },
    Case("collect by time or count") { $0.collect(.byTimeOrCount($1, 1, 3)).compactMap(\.last) },
  ]

  @Test(arguments: cases, [false, true])
  func `Deliveries never overlap, keep upstream's order, and stop at the end`(_ candidate: Case, _ cancels: Bool) {
    for round in 0..<30 {
      let scheduler = CrowdScheduler()
      let subject = PassthroughSubject<Int, TestError>()
      let probe = Recorder<Int, TestError>(demand: .max(20))
      probe.onValue = { _ in .max(1) }
      candidate.apply(subject, scheduler).subscribe(probe)
      if candidate.testDescription == "subscribe(on:)" {
        scheduler.runAll()
      }
      let subscription = UncheckedBox(probe.subscription)
      let isOver = Locked(false)
      onThreads([
        {
          for value in 1...60 { subject.send(value) }
          if !cancels { subject.send(completion: round.isMultiple(of: 2) ? .finished : .failure(.oops)) }
          isOver.change { $0 = true }
        },
        {
          while !isOver.value {
            scheduler.runAny()
            if candidate.testDescription != "timeout" || round.isMultiple(of: 3) { scheduler.tick() }
          }
        },
        { while !isOver.value { scheduler.runAny() } },
        {
          for _ in 0..<10 { subscription.value?.request(.max(1)) }
          if cancels {
            scheduler.runAny()
            subscription.value?.cancel()
          }
        },
      ])
      let before = probe.values.count
      if cancels {
        scheduler.runAll()
        #expect(probe.values.count == before)
        #expect(probe.completions.count == 0 || candidate.testDescription == "timeout")
      } else {
        scheduler.runAll()
        #expect(probe.completions.count == 1)
      }
      #expect(probe.isSerial)
      #expect(probe.values == probe.values.sorted())
      #expect(Set(probe.values).count == probe.values.count)
      #expect(scheduler.timers == 0)
    }
  }

  @Test(arguments: cases)
  func `Nothing is left behind by a race`(_ candidate: Case) {
    var graveyard = Graveyard()
    for _ in 0..<20 {
      let scheduler = CrowdScheduler()
      let subject = PassthroughSubject<Int, TestError>()
      let canary = graveyard.watch(Canary(), "closure")
      let cancellable = candidate.apply(subject, scheduler).sink(
        receiveCompletion: { _ in }, receiveValue: { _ in withExtendedLifetime(canary) {} })
      let box = UncheckedBox(cancellable)
      onThreads([
        { for value in 1...20 { subject.send(value) } },
        {
          for _ in 0..<20 {
            scheduler.runAny()
            scheduler.tick()
          }
        },
        { box.value.cancel() },
      ])
      scheduler.runAll()
      #expect(scheduler.timers == 0)
    }
    #expect(graveyard.survivors.isEmpty)
  }
}
