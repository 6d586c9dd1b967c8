// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Rule 3: the library holds no lock while user code runs.
///
/// During a callback another thread performs operations on the same stream, and returns before the callback does.
@Suite struct NoLockHeldTests {
  @Test(arguments: SubjectKind.allCases, ["value", "completion", "subscription"])
  func `A subject in use by a callback answers other threads`(_ kind: SubjectKind, _ callback: String) {
    let subject = UncheckedBox(kind.make())
    let recorder = Recorder<Int, TestError>(demand: .max(5))
    let other = Recorder<Int, TestError>()
    let calls: @Sendable () -> Void = {
      elsewhere {
        subject.value.send(5)
        subject.value.subscribe(other)
        recorder.request(.max(1))
        _ = String(describing: recorder.subscriptions)
        recorder.cancel()
        subject.value.send(completion: .finished)
      }
    }
    switch callback {
    case "value":
      recorder.onValue = { value in
        if value == 1 { calls() }
        return .none
      }
    case "completion": recorder.onCompletion = { _ in calls() }
    default: recorder.onSubscription = { _ in calls() }
    }
    subject.value.subscribe(recorder)
    subject.value.send(1)
    subject.value.send(completion: .failure(.oops))
    #expect(recorder.values.filter { $0 != 0 } == (callback == "subscription" ? [] : [1]))
  }

  @Test func `A sequence in use by a callback answers other threads`() {
    let recorder = Recorder<Int, Never>(demand: .max(1))
    recorder.onValue = { value in
      if value == 1 {
        elsewhere {
          recorder.request(.max(1))
          _ = String(describing: recorder.subscriptions)
        }
      }
      if value == 2 { elsewhere { recorder.cancel() } }
      return .max(1)
    }
    (1...5).publisher.subscribe(recorder)
    #expect(recorder.values == [1, 2])
    #expect(recorder.completions.isEmpty)
  }

  @Test func `A sink in use by its closure answers other threads`() {
    let subject = PassthroughSubject<Int, Never>()
    let holder = Locked<AnyCancellable?>(nil)
    var values: [Int] = []
    let cancellable = subject.sink { value in
      values.append(value)
      if value == 1 { elsewhere { holder.value?.cancel() } }
    }
    holder.change { $0 = cancellable }
    subject.send(1)
    subject.send(2)
    #expect(values == [1])
  }

  @Test func `Two pipelines that feed each other from two threads do not deadlock`() {
    for _ in 0..<50 {
      let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let received = Locked(0)
      let forward = { (target: PassthroughSubject<Int, Never>) in
        { (value: Int) in
          received.change { $0 += 1 }
          if value > 0 { target.send(value - 1) }
        }
      }
      let cancellables = [a.sink(receiveValue: forward(b)), b.sink(receiveValue: forward(a))]
      onThreads([
        { for _ in 0..<50 { a.send(5) } },
        { for _ in 0..<50 { b.send(5) } },
      ])
      #expect(received.value == 100 * 6)
      for cancellable in cancellables { cancellable.cancel() }
    }
  }

  @Test func `Two current value pipelines that feed each other do not deadlock`() {
    for _ in 0..<50 {
      let (a, b) = (CurrentValueSubject<Int, Never>(0), CurrentValueSubject<Int, Never>(0))
      let cancellables = [
        a.sink { value in if value > 0 { b.send(value - 1) } },
        b.sink { value in if value > 0 { a.send(value - 1) } },
      ]
      onThreads([
        { for _ in 0..<50 { a.send(5) } },
        { for _ in 0..<50 { b.send(5) } },
      ])
      for cancellable in cancellables { cancellable.cancel() }
    }
  }
}
