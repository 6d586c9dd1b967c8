// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// `receive(on:)` on a scheduler that takes runs: one block delivers many values of a source that runs no code of a user's
/// between them.
@Suite struct RunsOfReceiveOnTests {
  private let thousand = Publishers.Sequence<ClosedRange<Int>, Never>(sequence: 1...1000)

  private func scheduler(takesRuns: Bool = true) -> CrowdScheduler {
    let scheduler = CrowdScheduler()
    scheduler.takesRuns = takesRuns
    return scheduler
  }

  @Test(arguments: [true, false])
  func `A sequence of which everything is requested takes a block for 64 values`(takesRuns: Bool) {
    let scheduler = scheduler(takesRuns: takesRuns)
    let recorder = Recorder<Int, Never>(demand: .unlimited)
    thousand.receive(on: scheduler).subscribe(recorder)
    #expect(scheduler.calls == (takesRuns ? 16 : 1000) + 1)
    while scheduler.runLast() {}
    #expect(recorder.values == Array(1...1000))
    #expect(recorder.isFinished)
    #expect(recorder.isSerial)
  }

  @Test func `Values that are counted take a block each`() {
    let scheduler = scheduler()
    let recorder = Recorder<Int, Never>(demand: .max(10))
    thousand.receive(on: scheduler).subscribe(recorder)
    #expect(scheduler.calls == 10)
    scheduler.runAll()
    #expect(recorder.values == Array(1...10))
  }

  @Test func `Values between which a closure of the user's runs take a block each`() {
    let scheduler = scheduler()
    let recorder = Recorder<Int, Never>(demand: .unlimited)
    thousand.handleEvents(receiveOutput: { _ in }).receive(on: scheduler).subscribe(recorder)
    #expect(scheduler.calls == 1001)
    scheduler.runAll()
    #expect(recorder.values == Array(1...1000))
  }

  @Test func `A cancel in the middle of a run ends it`() {
    let scheduler = scheduler()
    var values: [Int] = []
    var cancellable: AnyCancellable?
    cancellable = thousand.receive(on: scheduler).sink { value in
      values.append(value)
      if value == 100 { cancellable?.cancel() }
    }
    scheduler.runAll()
    #expect(values == Array(1...100))
  }

  @Test func `Runs whose block comes while the subscription is handed over are made up for`() {
    let scheduler = scheduler()
    let recorder = Recorder<Int, Never>()
    recorder.onSubscription = { subscription in
      subscription.request(.unlimited)
      elsewhere { scheduler.runAny() }
    }
    thousand.receive(on: scheduler).subscribe(recorder)
    #expect(recorder.values.isEmpty)
    scheduler.runAll()
    #expect(recorder.values == Array(1...1000))
    #expect(recorder.isFinished)
  }

  @Test func `Many threads run the blocks, and deliveries neither overlap nor change their order`() {
    for _ in 0..<20 {
      let scheduler = scheduler()
      let recorder = Recorder<Int, Never>(demand: .unlimited)
      let isSent = Locked(false)
      let source = UncheckedBox(thousand)
      var work: [@Sendable () -> Void] = [
        {
          source.value.receive(on: scheduler).subscribe(recorder)
          isSent.change { $0 = true }
        }
      ]
      for _ in 0..<3 { work.append { while scheduler.runAny() || !isSent.value {} } }
      onThreads(work)
      scheduler.runAll()
      #expect(recorder.values == Array(1...1000))
      #expect(recorder.isSerial)
    }
  }
}
