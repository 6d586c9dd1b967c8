// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport

@testable import PenstockCore

extension FanOut {
  /// Everything that should not exist when no thread is in the loop.
  fileprivate var leftovers: [String] {
    expect(!members.hasRemoved, "removed members have not been discarded")
      + expect(
        members.count <= 2 * members.indices.count { members[$0] != nil }, "the list has gaps: \(members.count) places")
      + expect(queue.withLock { $0.signals.isEmpty }, "signals are queued, and nobody performs them")
  }
}

extension Machine {
  typealias Subject = PassthroughSubject<Int, TestError>

  /// The serial queue with fan-out.
  static let fanOut: [Machine] = [
    Machine("two threads send", preemptions: 3, staleLoads: 1) { exploration in
      let (subject, recorder) = (Subject(), exploration.recorder())
      subject.subscribe(recorder)
      return Script([{ subject.send(1) }, { subject.send(2) }]) {
        recorder.broken() + expect(recorder.values.sorted() == [1, 2], "values \(recorder.values)")
      }
    },
    Machine("two threads send two each") { exploration in
      let (subject, recorder) = (Subject(), exploration.recorder())
      subject.subscribe(recorder)
      return Script([
        { (1...2).forEach(subject.send) },
        { (11...12).forEach(subject.send) },
      ]) {
        recorder.broken()
          + expect(recorder.values.filter { $0 < 10 } == [1, 2], "the order of a sender: \(recorder.values)")
          + expect(recorder.values.filter { $0 > 10 } == [11, 12], "the order of a sender: \(recorder.values)")
      }
    },
    Machine("attach while another thread sends", preemptions: 3) { exploration in
      let (subject, recorder) = (Subject(), exploration.recorder())
      nonisolated(unsafe) var isIntroduced = false
      return Script([
        { (1...2).forEach(subject.send) },
        {
          subject.subscribe(recorder)
          isIntroduced = recorder.subscriptions.count == 1
        },
      ]) {
        subject.send(3)
        return recorder.broken() + expect(isIntroduced, "the subscription was not delivered when subscribe returned")
          + expect([[1, 2, 3], [2, 3], [3]].contains(recorder.values), "values \(recorder.values)")
      }
    },
    Machine("cancel while another thread sends", preemptions: 3, staleLoads: 1) { exploration in
      let (subject, recorder) = (Subject(), exploration.recorder())
      var graveyard = Graveyard()
      subject.subscribe(graveyard.watch(recorder))
      return Script([{ (1...2).forEach(subject.send) }, { exploration.cancel(recorder) }]) {
        let count = recorder.values.count
        subject.send(3)
        return recorder.broken() + expect(recorder.values.count == count, "a value long after the cancel")
      }
    },
    Machine("complete while others send and attach") { exploration in
      let (subject, early, late) = (Subject(), exploration.recorder(), exploration.recorder())
      subject.subscribe(early)
      return Script([
        { subject.send(1) }, { subject.send(completion: .finished) }, { subject.subscribe(late) },
      ]) {
        early.broken("the early one") + late.broken("the late one")
          + expect(early.completions.count == 1 && late.completions.count == 1, "completions are missing")
      }
    },
    Machine("a value whose death cancels, while another thread sends") { exploration in
      final class Mortal {
        let death: () -> Void
        init(_ death: @escaping () -> Void) { self.death = death }
        deinit { death() }
      }
      let subject = PassthroughSubject<Mortal, TestError>()
      let recorder = Recorder<Mortal, TestError>(demand: nil)
      subject.subscribe(recorder)
      let other = subject.sink(receiveCompletion: { _ in }, receiveValue: { _ in exploration.yield("delivers") })
      return Script([
        { subject.send(Mortal { [unowned recorder] in recorder.subscription?.cancel() }) },
        { subject.send(Mortal {}) },
      ]) { withExtendedLifetime(other) { recorder.broken() + subject.fanOut.leftovers } }
    },
    Machine("subscribers come and go while another thread sends") { exploration in
      let subject = Subject()
      return Script([
        { for _ in 1...3 { subject.comeAndGo() } },
        { subject.send(1) },
      ]) { subject.fanOut.leftovers }
    },
    Machine("two threads send, and a delivery sends as well") { exploration in
      let (subject, recorder) = (Subject(), exploration.recorder())
      subject.subscribe(recorder)
      nonisolated(unsafe) var hasSentBoth = false
      nonisolated(unsafe) var mustWait = false
      let record = recorder.onValue!
      recorder.onValue = { value in
        let more = record(value)
        if value == 11 {
          mustWait = hasSentBoth
          subject.send(5)
        }
        return more
      }
      return Script([
        { (1...2).forEach(subject.send) },
        {
          (11...12).forEach(subject.send)
          hasSentBoth = true
        },
      ]) {
        recorder.broken()
          + expect(recorder.values.sorted() == [1, 2, 5, 11, 12], "\(recorder.values)")
          + expect(!mustWait || recorder.values.filter { $0 > 2 } == [11, 12, 5], "5 overtakes: \(recorder.values)")
      }
    },
    Machine("a current value: attach while another thread sends", preemptions: 3) { exploration in
      let subject = CurrentValueSubject<Int, TestError>(0)
      let recorder = exploration.recorder()
      return Script([{ (1...2).forEach(subject.send) }, { subject.subscribe(recorder) }]) {
        recorder.broken() + expect(recorder.values.last == 2, "the latest value is missing: \(recorder.values)")
          + expect(recorder.values == recorder.values.sorted(), "out of order: \(recorder.values)")
          + expect(Set(recorder.values).count == recorder.values.count, "a value comes twice: \(recorder.values)")
      }
    },
    Machine("a current value: request while another thread sends", preemptions: 3, staleLoads: 1) { exploration in
      let subject = CurrentValueSubject<Int, TestError>(0)
      let recorder = exploration.recorder(demand: nil)
      subject.subscribe(recorder)
      return Script([{ (1...2).forEach(subject.send) }, { for _ in 1...3 { recorder.request(.max(1)) } }]) {
        recorder.broken() + expect(recorder.values.last == 2, "the latest value is missing: \(recorder.values)")
          + expect(recorder.values == recorder.values.sorted(), "out of order: \(recorder.values)")
      }
    },
    Machine("two threads set a current value", preemptions: 3) { exploration in
      let subject = CurrentValueSubject<Int, TestError>(0)
      let recorder = exploration.recorder()
      subject.subscribe(recorder)
      return Script([{ subject.send(1) }, { subject.value = 2 }]) {
        recorder.broken() + expect(recorder.values.last == subject.value, "\(recorder.values), \(subject.value)")
      }
    },
    Machine("an upstream comes while the first subscriber requests", preemptions: 3, staleLoads: 1) { exploration in
      let (subject, recorder) = (Subject(), exploration.recorder())
      let upstream = Requests()
      return Script([{ subject.send(subscription: upstream) }, { subject.subscribe(recorder) }]) {
        recorder.broken() + expect(upstream.requests == 1, "requested \(upstream.requests) times")
      }
    },
    Machine("two upstreams come while their subject is freed", preemptions: 3, staleLoads: 1) { _ in
      let fanOut = FanOut<Int, TestError>()
      let upstreams = (Requests(), Requests())
      return Script([
        { fanOut.upstream.add(upstreams.0) }, { fanOut.upstream.add(upstreams.1) }, { fanOut.upstream.cancel() },
      ]) {
        expect(upstreams.0.cancels == 1, "the first is cancelled \(upstreams.0.cancels) times")
          + expect(upstreams.1.cancels == 1, "the second is cancelled \(upstreams.1.cancels) times")
          + expect(fanOut.upstream.kept == 0, "\(fanOut.upstream.kept) are kept")
      }
    },
  ]
}

/// A subscription of an upstream that delivers nothing.
private final class Requests: Subscription, @unchecked Sendable {
  // One thread runs at a time.
  private(set) var requests = 0
  private(set) var cancels = 0

  func request(_ demand: Subscribers.Demand) { requests += 1 }

  func cancel() { cancels += 1 }
}
