// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

@Suite struct RepeatTests {
  @Test(arguments: 0...3)
  func `Upstream is run a number of times`(_ times: Int) {
    let subscriptions = Locked(0)
    let recorder = Recorder<Int, Never>()
    Deferred {
      subscriptions.change { $0 += 1 }
      return [1, 2].publisher
    }.repeat(times).subscribe(recorder)
    #expect(recorder.values == Array(repeating: [1, 2], count: times).flatMap { $0 })
    #expect(recorder.isFinished && recorder.complaints.isEmpty)
    #expect(subscriptions.value == times)
  }

  @Test func `A failure ends it at once`() {
    let recorder = Recorder<Int, TestError>()
    let publisher = ManualPublisher<Int, TestError>()
    publisher.repeat(3).subscribe(recorder)
    publisher.send(1)
    publisher.send(completion: .failure(.oops))
    #expect(recorder.events == [.subscription("Repeat"), .value(1), .completion(.failure(.oops))])
    #expect(publisher.subscribers.count == 1)
  }

  @Test func `Without a number it goes on until a cancel`() {
    let recorder = Recorder<Int, Never>()
    [1, 2].publisher.repeat().prefix(5).subscribe(recorder)
    #expect(recorder.values == [1, 2, 1, 2, 1] && recorder.isFinished)
  }

  @Test func `Demand is carried over from run to run, and asked for once`() {
    let recorder = Recorder<Int, TestError>(demand: .max(3))
    let publisher = ManualPublisher<Int, TestError>()
    publisher.repeat(3).subscribe(recorder)
    publisher.send(1)
    let first = publisher.subscription
    publisher.subscription = ManualSubscription()
    publisher.send(completion: .finished)
    #expect(first?.calls == [.requested(.max(3))])
    #expect(publisher.calls == [.requested(.max(2))])
    recorder.onValue = { _ in .max(4) }
    publisher.send(2)
    recorder.request(.max(1))
    publisher.subscription = ManualSubscription()
    publisher.send(completion: .finished)
    #expect(publisher.calls == [.requested(.max(6))])
    #expect(recorder.values == [1, 2])
  }

  @Test func `Values wait for demand across the end of a run`() {
    let recorder = Recorder<Int, Never>(demand: nil)
    [1, 2].publisher.repeat(2).subscribe(recorder)
    for count in 1...4 {
      #expect(recorder.values.count == count - 1)
      recorder.request(.max(1))
    }
    #expect(recorder.values == [1, 2, 1, 2] && recorder.isFinished)
  }

  @Test(arguments: ["returned", "requested", "unlimited"])
  func `A hundred thousand runs do not grow the stack`(_ demand: String) {
    onSmallStack {
      let recorder = Recorder<Int, Never>(demand: demand == "unlimited" ? .unlimited : .max(1))
      recorder.onValue = { [unowned recorder] _ in
        if demand == "requested" { recorder.request(.max(1)) }
        return demand == "returned" ? .max(1) : .none
      }
      Just(1).repeat(100_000).subscribe(recorder)
      #expect(recorder.values.count == 100_000 && recorder.isFinished && recorder.complaints.isEmpty)
    }
  }

  @Test func `A hundred thousand runs without a value do not grow the stack`() {
    onSmallStack {
      let recorder = Recorder<Int, Never>(demand: nil)
      Empty<Int, Never>().repeat(100_000).subscribe(recorder)
      #expect(recorder.values.isEmpty && recorder.isFinished)
    }
  }

  @Test func `Another thread's cancel ends an endless loop`() {
    let runs = Locked(0)
    let (recorder, isRunning) = (Recorder<Int, Never>(), Gate())
    onThreads([
      {
        Deferred { () -> Empty<Int, Never> in
          runs.change { $0 += 1 }
          if runs.value == 10 { isRunning.open() }
          return Empty()
        }.repeat().subscribe(recorder)
      },
      {
        isRunning.wait()
        recorder.cancel()
      },
    ])
    #expect(runs.value >= 10 && recorder.completions.isEmpty)
  }

  @Test(arguments: 1...4)
  func `A cancel during a delivery is the end`(_ count: Int) {
    let recorder = Recorder<Int, Never>()
    recorder.onValue = { [unowned recorder] _ in
      if recorder.values.count == count { recorder.cancel() }
      return .none
    }
    [1, 2].publisher.repeat().subscribe(recorder)
    #expect(recorder.values.count == count && recorder.completions.isEmpty)
  }

  @Test func `Runs of different lengths follow each other as time passes`() {
    let scheduler = VirtualTimeScheduler()
    let recorder = Recorder<Int, Never>()
    Just(1).delay(for: 2, scheduler: scheduler).repeat(3).subscribe(recorder)
    scheduler.advance(by: 5)
    #expect(recorder.values == [1, 1] && recorder.completions.isEmpty)
    scheduler.advance(by: 1)
    #expect(recorder.values == [1, 1, 1] && recorder.isFinished)
  }

  @Test func `A negative number and a request for nothing trap`() async {
    let negative = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Just(1).repeat(-1)
    }
    expectMessage(negative, "repeat(_:) takes a count of 0 or more")
    let nothing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      PassthroughSubject<Int, Never>().repeat().subscribe(Recorder<Int, Never>(demand: .some(.none)))
    }
    expectMessage(nothing, "request(.none)")
  }
}
