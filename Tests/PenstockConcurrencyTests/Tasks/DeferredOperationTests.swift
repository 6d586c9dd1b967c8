// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import TestSupport
import Testing

@Suite struct DeferredOperationTests {
  @Test func `Each subscription starts a task of its own, and nothing runs before`() async {
    let runs = Locked(0)
    let attempt = Deferred { () async -> Int in
      runs.change {
        $0 += 1
        return $0
      }
    }
    #expect(runs.value == 0)
    for run in 1...3 {
      let probe = Probe<Int, Never>()
      attempt.subscribe(probe.recorder)
      #expect(await probe.completion() == .finished)
      #expect(probe.recorder.values == [run])
      #expect(probe.isLawful)
    }
  }

  @Test func `A retry runs the closure once more`() async {
    let runs = Locked(0)
    let attempt = Deferred { () async throws(TestError) -> Int in
      let run = runs.change {
        $0 += 1
        return $0
      }
      if run < 3 { throw .oops }
      return run
    }
    let probe = Probe<Int, TestError>()
    attempt.retry(5).subscribe(probe.recorder)
    #expect(await probe.completion() == .finished)
    #expect(probe.recorder.values == [3])
  }

  @Test func `A closure that awaits nothing makes a publisher, as always`() {
    let publisher = Deferred { Just(1) }
    #expect(type(of: publisher) == Deferred<Just<Int>>.self)
    let chosen = Deferred { () -> AnyPublisher<Int, Never> in
      let number = Int.random(in: 1...9)
      return number > 5 ? Just(number).eraseToAnyPublisher() : Empty().eraseToAnyPublisher()
    }
    #expect(type(of: chosen) == Deferred<AnyPublisher<Int, Never>>.self)
  }

  @Test func `A cancel cancels the task of this subscription only`() async {
    let work = Work()
    let numbers = Locked(0)
    let attempt = Deferred { () async -> Int in
      let number = numbers.change {
        $0 += 1
        return $0
      }
      await work.run(number)
      return number
    }
    let (first, second) = (Probe<Int, Never>(), Probe<Int, Never>())
    attempt.subscribe(first.recorder)
    #expect(await reached { work.started == [1] })
    attempt.subscribe(second.recorder)
    #expect(await reached { work.started == [1, 2] })
    first.recorder.cancel()
    #expect(work.cancelled == [1])
    work.open(2)
    #expect(await second.completion() == .finished)
    #expect(second.recorder.values == [2])
    #expect(first.count == 0 && !first.isOver)
  }

  @Test func `A cancel in the introduction cancels the task`() async {
    let work = Work()
    let probe = Probe<Int, Never>(demand: nil)
    probe.recorder.onSubscription = { $0.cancel() }
    Deferred { () async -> Int in
      await work.run(1)
      return 1
    }.subscribe(probe.recorder)
    #expect(await reached { work.ended == [1] })
    #expect(work.cancelled == [1])
    #expect(probe.recorder.values.isEmpty)
  }

  @Test func `The task has the task-local values of the code that subscribes`() async {
    let attempt = Trace.$name.withValue("maker") { Deferred { () async in Trace.name } }
    let probe = Probe<String, Never>()
    Trace.$name.withValue("subscriber") { attempt.subscribe(probe.recorder) }
    #expect(await probe.completion() == .finished)
    #expect(probe.recorder.values == ["subscriber"])
  }

  @Test func `Five hundred subscriptions that are cancelled leave no task`() async {
    let work = Work()
    var probes: [Probe<Int, Never>] = []
    for number in 0..<500 {
      let probe = Probe<Int, Never>()
      Deferred { () async -> Int in
        await work.run(number)
        return number
      }.subscribe(probe.recorder)
      probes.append(probe)
    }
    #expect(await reached { work.started.count == 500 })
    for probe in probes { probe.recorder.cancel() }
    #expect(await reached { work.ended.count == 500 })
    #expect(Set(work.cancelled).count == 500)
    #expect(probes.allSatisfy { $0.count == 0 })
  }
}
