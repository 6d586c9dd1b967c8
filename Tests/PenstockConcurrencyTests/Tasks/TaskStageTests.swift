// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Dispatch
import PenstockConcurrency
import TestSupport
import Testing

/// The behaviour that `mapAsync` and `acknowledged` have in common.
@Suite struct TaskStageTests {
  @Test(arguments: Width.all)
  func `A cancel reaches upstream before the tasks, so that nothing they give back comes to who leaves`(
    _ width: Width
  ) async {
    let (log, started, probe) = (Locked<[String]>([]), Locked(0), Probe<Int, Never>())
    let stream = AsyncStream<Never>.makeStream()
    (1...9).publisher
      .handleEvents(receiveCancel: { log.change { $0.append("upstream") } })
      .append(PassthroughSubject())
      .mapAsync(maxTasks: width.demand, inOrder: width.inOrder) { number in
        await withTaskCancellationHandler {
          started.change { $0 += 1 }
          for await _ in stream.stream {}
        } onCancel: {
          log.change { $0.append("task") }
        }
        return number
      }
      .subscribe(probe.recorder)
    let running = min(width.count ?? 9, 9)
    #expect(await reached { started.value == running })
    probe.recorder.cancel()
    // With an unlimited number of tasks, the sequence has ended before that.
    let expected = (width.count == nil ? [] : ["upstream"]) + Array(repeating: "task", count: running)
    #expect(await reached { log.value == expected }, "\(log.value)")
  }

  /// The subscriber holds up the thread that requests the first result, while the second task fails and the third returns.
  @Test func `A failure that keeps no order comes before a result that is later`() async {
    let (work, inside, leave) = (Work(), Locked(false), DispatchSemaphore(value: 0))
    let probe = Probe<Int, TestError>(demand: nil)
    (1...3).publisher.setFailureType(to: TestError.self)
      .mapAsync(maxTasks: .max(3), inOrder: false) { (number: Int) async throws(TestError) -> Int in
        await work.run(number)
        if number == 2 { throw .oops }
        return number
      }
      .handleEvents(receiveOutput: { _ in
        inside.change { $0 = true }
        #expect(leave.wait(timeout: .now() + 600) == .success)
      })
      .subscribe(probe.recorder)
    work.open(1)
    #expect(await reached { work.ended.contains(1) })
    // A separate thread waits there, and none of those on which tasks run.
    DispatchQueue(label: "requests").async { probe.recorder.request(.unlimited) }
    #expect(await reached { inside.value })
    for number in [2, 3] {
      work.open(number)
      #expect(await reached { work.ended.contains(number) })
      // When the next task may return, this one has returned; it hands over its result without waiting for anything.
      for _ in 0..<100 { await Task.yield() }
    }
    leave.signal()
    #expect(await probe.completion() == .failure(.oops))
    #expect(probe.recorder.values == [1] && probe.isLawful)
  }

  @Test(arguments: [true, false], [true, false])
  func `Results without demand are delivered one by one as they are requested, and do not nest`(
    inOrder: Bool, requests: Bool
  ) async {
    let count = 20_000
    let (ended, deepest, depth, numbers) = (Locked(0), Locked(0), Locked(0), Locked<[Int]>([]))
    let (subscription, completion) = (Locked<(any Subscription)?>(nil), Probe<Never, Never>())
    let subscriber = AnySubscriber<Int, Never>(
      receiveSubscription: { new in subscription.change { $0 = new } },
      receiveValue: { number in
        let now = depth.change {
          $0 += 1
          return $0
        }
        deepest.change { $0 = max($0, now) }
        numbers.change { $0.append(number) }
        if requests { subscription.value?.request(.max(1)) }
        depth.change { $0 -= 1 }
        return requests ? .none : .max(1)
      },
      receiveCompletion: { _ in completion.recorder.receive(completion: .finished) })
    (0..<count).publisher
      .mapAsync(maxTasks: .unlimited, inOrder: inOrder) { number in
        ended.change { $0 += 1 }
        return number
      }
      .subscribe(subscriber)
    #expect(await reached { ended.value == count })
    #expect(numbers.value.isEmpty)
    subscription.value?.request(.max(1))
    #expect(await completion.completion() == .finished)
    #expect((inOrder ? numbers.value : numbers.value.sorted()) == Array(0..<count))
    #expect(deepest.value == 1)
    subscription.change { $0 = nil }
  }

  @Test(arguments: Width.all)
  func `What an operator has ended is released, also while its subscription is kept`(_ width: Width) async {
    var graveyard = Graveyard()
    let probe = Probe<Int, Never>()
    do {
      let canary = graveyard.watch(Canary(), "captured")
      (1...5).publisher.mapAsync(maxTasks: width.demand, inOrder: width.inOrder) { number in
        withExtendedLifetime(canary) { number }
      }
      .subscribe(probe.recorder)
    }
    #expect(await probe.completion() == .finished)
    #expect(await reached { graveyard.survivors.isEmpty }, "\(graveyard.survivors)")
    #expect(probe.recorder.subscription != nil)
  }
}
