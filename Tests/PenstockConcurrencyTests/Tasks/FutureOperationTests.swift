// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import TestSupport
import Testing

/// A view model whose future runs on the main actor.
@MainActor private final class Model {
  var level = 1

  func load() -> Future<Int, Never> {
    Future {
      MainActor.assertIsolated()
      self.level += 1
      return self.level
    }
  }
}

@Suite struct FutureOperationTests {
  @Test func `The task runs once, without a subscriber, and all subscribers get its value`() async {
    let work = Work()
    let future = Future {
      await work.run(1)
      return 7
    }
    #expect(await reached { work.started == [1] })
    let (early, late) = (Probe<Int, Never>(), Probe<Int, Never>())
    future.subscribe(early.recorder)
    work.open(1)
    #expect(await early.completion() == .finished)
    future.subscribe(late.recorder)
    #expect(await late.completion() == .finished)
    #expect(early.recorder.values == [7] && late.recorder.values == [7])
    #expect(work.started == [1])
    #expect(early.isLawful && late.isLawful)
  }

  @Test func `What the closure throws is the failure, of the type that it declares`() async {
    let typed = Future { () async throws(TestError) -> Int in throw .oops }
    let untyped = Future { () async throws -> Int in throw TestError.oops }
    let (first, second) = (Probe<Int, TestError>(demand: nil), Probe<Int, any Error>(demand: nil))
    typed.subscribe(first.recorder)
    untyped.subscribe(second.recorder)
    #expect(await first.completion() == .failure(.oops))
    guard case .failure(let error) = await second.completion() else {
      Issue.record("no failure")
      return
    }
    #expect(error as? TestError == .oops)
  }

  @Test func `A value waits for a request`() async {
    let future = Future { 7 }
    let probe = Probe<Int, Never>(demand: nil)
    future.subscribe(probe.recorder)
    #expect(await future.value == 7)
    #expect(probe.count == 0)
    probe.recorder.request(.max(1))
    #expect(await probe.completion() == .finished)
    #expect(probe.recorder.values == [7])
  }

  @Test @MainActor func `The closure has the isolation in which it is written`() async {
    let model = Model()
    #expect(await model.load().value == 2)
    #expect(model.level == 2)
  }

  @Test func `The future of the last subscription that is cancelled cancels the task`() async {
    let work = Work()
    var future: Future<Int, Never>? = Future {
      await work.run(1)
      return 7
    }
    let (first, second) = (Probe<Int, Never>(), Probe<Int, Never>())
    future?.subscribe(first.recorder)
    future?.subscribe(second.recorder)
    #expect(await reached { work.started == [1] })
    future = nil
    first.recorder.cancel()
    #expect(work.cancelled.isEmpty)
    second.recorder.cancel()
    #expect(work.cancelled == [1])
    #expect(await reached { work.ended == [1] })
    #expect(first.count == 0 && second.count == 0)
    #expect(!first.isOver && !second.isOver)
  }

  @Test func `A future that is kept goes on without subscribers`() async {
    let work = Work()
    let future = Future {
      await work.run(1)
      return 7
    }
    let probe = Probe<Int, Never>()
    future.subscribe(probe.recorder)
    #expect(await reached { work.started == [1] })
    probe.recorder.cancel()
    #expect(work.cancelled.isEmpty)
    work.open(1)
    #expect(await future.value == 7)
  }

  @Test func `A future that nobody keeps is cancelled`() async {
    let work = Work()
    do {
      _ = Future { await work.run(1) }
    }
    // Its task starts, and finds that it has been cancelled.
    #expect(await reached { work.ended == [1] })
    #expect(work.cancelled == [1])
  }

  @Test func `The task has the name, the priority and the task-local values of where the future is made`() async {
    let future = Trace.$name.withValue("maker") {
      Future(name: "loader", priority: .low) { (Task.name, Task.currentPriority, Trace.name) }
    }
    let probe = Probe<(String?, TaskPriority, String), Never>()
    Trace.$name.withValue("subscriber") { future.subscribe(probe.recorder) }
    let (name, priority, trace) = (await probe.values(1))?.first ?? (nil, .high, "")
    #expect(name == "loader")
    // A task that waits for the future would raise the priority; none does.
    #expect(priority == .low)
    #expect(trace == "maker")
  }

  @Test(arguments: [true, false])
  func `Nothing is left in memory, after the end or a cancel`(_ isCancelled: Bool) async {
    var graveyard = Graveyard()
    let work = Work()
    do {
      let canary = graveyard.watch(Canary(), "captured")
      let future = graveyard.watch(
        Future<Canary, Never> {
          await work.run(1)
          return canary
        }, "future")
      let probe = graveyard.watch(Probe<Canary, Never>(), "probe")
      future.subscribe(probe.recorder)
      #expect(await reached { work.started == [1] })
      if isCancelled {
        probe.recorder.cancel()
      } else {
        work.open(1)
        #expect(await probe.completion() == .finished)
      }
      probe.recorder.releaseSubscriptions()
    }
    #expect(await reached { graveyard.survivors.isEmpty }, "\(graveyard.survivors)")
    #expect(work.cancelled.isEmpty != isCancelled)
  }

  @Test func `A cancel and the end of the task may meet at any moment`() async {
    for round in 0..<500 {
      let probe = Probe<Int, Never>()
      let over = Locked(false)
      Future {
        defer { over.change { $0 = true } }
        for _ in 0..<round % 7 { await Task.yield() }
        return round
      }.subscribe(probe.recorder)
      for _ in 0..<round % 5 { await Task.yield() }
      probe.recorder.subscription?.cancel()
      #expect(await reached { over.value })
      #expect(!probe.recorder.hasOverlapped)
    }
  }
}
