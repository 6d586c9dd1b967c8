// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockKit
import PenstockTesting
import TestSupport

extension Machine {
  /// Operators that hold demand back, or merge values that come without it.
  static let pressure: [Machine] = [
    Machine("limitRequests: values beside requests", staleLoads: 1) { exploration in
      let (subject, recorder) = (Subject(), exploration.recorder(demand: nil))
      // The buffer keeps values that have not been requested.
      subject.buffer(size: 9, prefetch: .keepFull, whenFull: .dropNewest).limitRequests(to: 2, refillAt: 1)
        .subscribe(recorder)
      return Script([
        {
          (1...3).forEach(subject.send)
          subject.send(completion: .finished)
        },
        { for _ in 1...4 { recorder.request(.max(1)) } },
      ]) {
        recorder.broken() + expect(recorder.values == [1, 2, 3] && recorder.isFinished, "\(recorder.events)")
      }
    },
    Machine("buffer(upTo:): values beside requests") { exploration in
      let (subject, recorder) = (Subject(), exploration.recorder(demand: nil))
      subject.buffer(size: 9, prefetch: .keepFull, whenFull: .dropNewest).buffer(upTo: 2, resumingAt: 1)
        .subscribe(recorder)
      return Script([
        {
          (1...3).forEach(subject.send)
          subject.send(completion: .finished)
        },
        { for _ in 1...3 { recorder.request(.max(1)) } },
      ]) {
        recorder.broken() + expect(recorder.values == [1, 2, 3] && recorder.isFinished, "\(recorder.events)")
      }
    },
    Machine("buffer(weight:): a value beside a request and a cancel") { exploration in
      let (subject, recorder) = (Subject(), exploration.recorder(demand: nil))
      subject.buffer(weight: 2, resumingAt: 0) { _ in 1 }.subscribe(recorder)
      return Script([
        { (1...2).forEach(subject.send) }, { recorder.request(.max(1)) }, { exploration.cancel(recorder) },
      ]) { recorder.broken() }
    },
    Machine("limitRequests: a value beside a cancel") { exploration in
      let (subject, recorder) = (Subject(), exploration.recorder())
      subject.limitRequests(to: 2, refillAt: 1).subscribe(recorder)
      return Script([{ (1...2).forEach(subject.send) }, { exploration.cancel(recorder) }]) { recorder.broken() }
    },
    Machine("pace: values and a request beside the next token", staleLoads: 1) { exploration in
      let (subject, recorder) = (Subject(), exploration.recorder(demand: .max(2)))
      let queue = ExploredScheduler(exploration)
      subject.buffer(size: 9, prefetch: .keepFull, whenFull: .dropNewest)
        .pace(1, per: .seconds(1), burst: 1, scheduler: queue).subscribe(recorder)
      exploration.releases.append { queue.performAll() }
      return Script(
        [
          {
            (1...3).forEach(subject.send)
            subject.send(completion: .finished)
          },
          { for _ in 1...2 { recorder.request(.max(1)) } },
        ], serving: [queue.thread]
      ) {
        recorder.broken() + expect(recorder.values == [1, 2, 3] && recorder.isFinished, "\(recorder.events)")
      }
    },
    Machine("pace: a cancel beside a value and the timer") { exploration in
      let (subject, recorder) = (Subject(), exploration.recorder())
      let queue = ExploredScheduler(exploration)
      subject.pace(1, per: .seconds(1), burst: 1, scheduler: queue).subscribe(recorder)
      exploration.releases.append { queue.performAll() }
      return Script([{ (1...2).forEach(subject.send) }, { exploration.cancel(recorder) }], serving: [queue.thread]) {
        recorder.broken()
      }
    },
    Machine("pace by cost: values and a finish beside requests and the timer") { exploration in
      let (subject, recorder) = (Subject(), exploration.recorder(demand: .max(1)))
      let queue = ExploredScheduler(exploration)
      subject.buffer(size: 9, prefetch: .keepFull, whenFull: .dropNewest)
        .pace(1, per: .seconds(1), burst: 2, scheduler: queue) { $0 }.subscribe(recorder)
      exploration.releases.append { queue.performAll() }
      return Script(
        [
          {
            (2...3).forEach(subject.send)
            subject.send(completion: .finished)
          },
          { for _ in 1...2 { recorder.request(.max(1)) } },
        ], serving: [queue.thread]
      ) {
        recorder.broken() + expect(recorder.values == [2, 3] && recorder.isFinished, "\(recorder.events)")
      }
    },
    Machine("coalesce: values and a finish beside requests", preemptions: 3) { exploration in
      let (subject, recorder) = (Subject(), exploration.recorder(demand: nil))
      subject.coalesce { first, second in
        exploration.yield("merges")
        return first * 10 + second
      }.subscribe(recorder)
      return Script([
        {
          (1...3).forEach(subject.send)
          subject.send(completion: .finished)
        },
        { for _ in 1...3 { recorder.request(.max(1)) } },
      ]) {
        recorder.broken()
          + expect(
            [[123], [1, 23], [12, 3], [1, 2, 3]].contains(recorder.values) && recorder.isFinished,
            "\(recorder.events)")
      }
    },
    Machine("coalesce: values beside a cancel") { exploration in
      let (subject, recorder) = (Subject(), exploration.recorder(demand: .max(1)))
      subject.coalesce { $0 + $1 }.subscribe(recorder)
      return Script([
        { (1...3).forEach(subject.send) }, { recorder.request(.max(1)) }, { exploration.cancel(recorder) },
      ]) {
        recorder.broken()
      }
    },
    Machine("pausable: values and a finish beside a valve that closes and opens") { exploration in
      let (subject, recorder) = (Subject(), exploration.recorder(demand: .max(1)))
      let valve = CurrentValueSubject<Bool, Never>(true)
      recorder.onValue = { value in
        exploration.yield("delivers \(value)")
        return .max(1)
      }
      subject.buffer(size: 9, prefetch: .keepFull, whenFull: .dropNewest).pausable(by: valve).subscribe(recorder)
      return Script([
        {
          (1...2).forEach(subject.send)
          subject.send(completion: .finished)
        },
        {
          valve.send(false)
          valve.send(true)
        },
      ]) {
        recorder.broken() + expect(recorder.values == [1, 2] && recorder.isFinished, "\(recorder.events)")
      }
    },
    Machine("receive(on:upTo:): values and a finish") { exploration in
      let (subject, recorder) = (Subject(), exploration.recorder())
      let queue = ExploredScheduler(exploration)
      subject.receive(on: queue, upTo: 2).subscribe(recorder)
      exploration.releases.append { queue.performAll() }
      return Script(
        [
          {
            (1...3).forEach(subject.send)
            subject.send(completion: .finished)
          }
        ], serving: [queue.thread]
      ) {
        recorder.broken() + expect(recorder.values == [1, 2, 3] && recorder.isFinished, "\(recorder.events)")
      }
    },
    Machine("receive(on:upTo:): values beside a cancel") { exploration in
      let (subject, recorder) = (Subject(), exploration.recorder())
      let queue = ExploredScheduler(exploration)
      subject.receive(on: queue, upTo: 2).subscribe(recorder)
      exploration.releases.append { queue.performAll() }
      return Script([{ (1...2).forEach(subject.send) }, { exploration.cancel(recorder) }], serving: [queue.thread]) {
        recorder.broken()
      }
    },
    Machine("a source that calls back: its answer beside a request and a cancel", staleLoads: 1) { exploration in
      let (desk, recorder) = (Desk(), exploration.recorder(demand: .max(1)))
      Publishers.source { DeskStage(desk: desk) }.subscribe(recorder)
      return Script([
        { desk.answer([1, 2]) }, { recorder.request(.max(1)) }, { exploration.cancel(recorder) },
      ]) {
        recorder.broken() + expect(desk.cancels == 1, "\(desk.cancels) cancels")
      }
    },
    Machine("a source that calls back: its last answer beside requests", staleLoads: 1) { exploration in
      let (desk, recorder) = (Desk(), exploration.recorder(demand: .max(1)))
      Publishers.source { DeskStage(desk: desk) }.subscribe(recorder)
      return Script([
        { desk.answer([1, 2], completion: .finished) }, { recorder.request(.max(1)) }, { recorder.request(.max(1)) },
      ]) {
        recorder.broken() + expect(recorder.values == [1, 2] && recorder.isFinished, "\(recorder.events)")
          + expect(desk.requests == 1 && desk.cancels == 0, "\(desk.requests) requests, \(desk.cancels) cancels")
      }
    },
  ]
}

/// An API that a script answers for.
private final class Desk: @unchecked Sendable {
  // Accessed only by the stage and by the one thread that answers.
  var open: Callback<Int, TestError>?
  var requests = 0
  var cancels = 0

  func answer(_ values: [Int], completion: Subscribers.Completion<TestError>? = nil) {
    let last = open
    open = nil
    if let completion { last?.send(values, completion: completion) } else { last?.send(values) }
  }
}

private struct DeskStage: CallbackStage {
  let desk: Desk

  static var name: String { "Desk" }

  func request(_ demand: Subscribers.Demand, _ callback: Callback<Int, TestError>) {
    desk.requests += 1
    desk.open = callback
  }

  func cancel() { desk.cancels += 1 }
}
