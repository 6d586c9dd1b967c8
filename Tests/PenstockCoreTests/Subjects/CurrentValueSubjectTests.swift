// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

@Suite struct CurrentValueSubjectTests {
  @Test func `Subscribing alone delivers nothing; the first request is answered at once`() {
    let subject = CurrentValueSubject<Int, Never>(1)
    let recorder = Recorder<Int, Never>(demand: nil)
    subject.subscribe(recorder)
    #expect(recorder.values.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.values == [1])
    subject.send(2)
    #expect(recorder.values == [1])
  }

  @Test func `Only the latest of the values that were missed is given later`() {
    let subject = CurrentValueSubject<Int, Never>(1)
    let recorder = Recorder<Int, Never>(demand: .max(1))
    subject.subscribe(recorder)
    subject.send(2)
    subject.send(3)
    recorder.request(.max(2))
    #expect(recorder.values == [1, 3])
    recorder.request(.max(1))
    #expect(recorder.values == [1, 3])
    subject.send(4)
    #expect(recorder.values == [1, 3, 4])
  }

  @Test func `The value is new before subscribers are told`() {
    let subject = CurrentValueSubject<Int, Never>(1)
    var seen: [Int] = []
    let cancellable = subject.sink { _ in seen.append(subject.value) }
    subject.send(2)
    subject.value = 3
    #expect(seen == [1, 2, 3])
    cancellable.cancel()
  }

  @Test func `Setting the value sends, also if it has not changed`() {
    let subject = CurrentValueSubject<Int, Never>(1)
    let recorder = Recorder<Int, Never>()
    subject.subscribe(recorder)
    subject.value = 1
    subject.value += 1
    #expect(recorder.values == [1, 1, 2])
  }

  @Test func `Who subscribes on another thread while a value is sent gets that value once`() {
    let rounds = meet(
      over: { (subject: CurrentValueSubject<Int, Never>(0), recorder: Recorder<Int, Never>()) }, { $0.subject.send(1) },
      { $0.subject.subscribe($0.recorder) })
    #expect(rounds.allSatisfy { [[1], [0, 1]].contains($0.recorder.values) })
  }

  @Test func `After the end a set value is stored and not delivered, and a sent one is not stored`() {
    let subject = CurrentValueSubject<Int, TestError>(1)
    let recorder = Recorder<Int, TestError>()
    subject.subscribe(recorder)
    subject.send(completion: .finished)
    subject.send(2)
    #expect(subject.value == 1)
    subject.value = 3
    #expect(subject.value == 3)
    #expect(recorder.values == [1])
  }

  @Test func `Upstream is asked for everything at once, each time`() {
    let subject = CurrentValueSubject<Int, Never>(1)
    let (first, second) = (ManualSubscription(), ManualSubscription())
    subject.send(subscription: first)
    subject.send(subscription: second)
    #expect(first.calls == [.requested(.unlimited)])
    #expect(second.calls == [.requested(.unlimited)])
  }

  @Test func `An optional value may be nil`() {
    let subject = CurrentValueSubject<Int?, Never>(nil)
    let recorder = Recorder<Int?, Never>()
    subject.subscribe(recorder)
    subject.value = 1
    subject.value = nil
    #expect(recorder.values == [nil, 1, nil])
    #expect(subject.value == nil)
  }

  @Test func `A request during a delivery is not answered with the value that is being delivered`() {
    let subject = CurrentValueSubject<Int, Never>(1)
    let recorder = Recorder<Int, Never>(demand: .max(1))
    recorder.onValue = { value in
      if value < 3 { recorder.request(.max(1)) }
      return .none
    }
    subject.subscribe(recorder)
    subject.send(2)
    subject.send(3)
    subject.send(4)
    #expect(recorder.values == [1, 2, 3])
  }

  @Test func `A value is freed when the next one comes, and not under a lock`() {
    final class Reads {
      nonisolated(unsafe) static var last = 0
      let subject: () -> CurrentValueSubject<Reads?, Never>?
      init(_ subject: @escaping () -> CurrentValueSubject<Reads?, Never>?) { self.subject = subject }
      deinit { Reads.last += subject()?.value == nil ? 1 : 0 }
    }
    let subject = CurrentValueSubject<Reads?, Never>(nil)
    subject.value = Reads { [weak subject] in subject }
    subject.value = nil
    #expect(Reads.last == 1)
  }
}
