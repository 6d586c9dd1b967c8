// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Rule 5: no delivery starts after `cancel()` has returned, on any thread, and `cancel` may race with anything.
@Suite struct CancelTests {
  /// Blocks the delivery of the first value while another thread cancels, and then lets it continue.
  private func cancelDuringFirstValue(
    _ subscribe: (@escaping (Int) -> Void, @escaping () -> Void) -> AnyCancellable, drive: () -> Void
  ) -> (values: [Int], completions: Int) {
    var (values, completions): ([Int], Int) = ([], 0)
    let cancellable = Locked<AnyCancellable?>(nil)
    let subscription = subscribe(
      { value in
        values.append(value)
        if value == 1 { elsewhere { cancellable.value?.cancel() } }
      },
      { completions += 1 })
    cancellable.change { $0 = subscription }
    drive()
    return (values, completions)
  }

  @Test(arguments: SubjectKind.allCases)
  func `A subject starts no delivery after a cancel from another thread`(_ kind: SubjectKind) {
    let subject = kind.make()
    let (values, completions) = cancelDuringFirstValue(
      { onValue, onCompletion in
        subject.sink(receiveCompletion: { _ in onCompletion() }, receiveValue: onValue)
      },
      drive: {
        for value in 1...3 { subject.send(value) }
        subject.send(completion: .finished)
      })
    #expect(values.filter { $0 > 0 } == [1])
    #expect(completions == 0)
  }

  @Test(arguments: [nil, 3])
  func `A sequence starts no delivery after a cancel from another thread`(_ count: Int?) {
    let recorder = Recorder<Int, Never>(demand: nil)
    recorder.onValue = { value in
      if value == 1 { elsewhere { recorder.cancel() } }
      return .none
    }
    (1...3).publisher.subscribe(recorder)
    recorder.request(count.map { .max($0) } ?? .unlimited)
    #expect(recorder.values == [1])
    #expect(recorder.completions.isEmpty)
  }

  @Test(arguments: SubjectKind.allCases)
  func `Values queued for a subscriber are dropped when it cancels`(_ kind: SubjectKind) {
    let subject = UncheckedBox(kind.make())
    let (first, second) = (Recorder<Int, TestError>(), Recorder<Int, TestError>())
    first.onValue = { value in
      if value == 1 {
        elsewhere { subject.value.send(2) }
        second.cancel()
      }
      return .none
    }
    subject.value.subscribe(first)
    subject.value.subscribe(second)
    subject.value.send(1)
    #expect(first.sent == [1, 2])
    #expect(second.sent.isEmpty)
  }

  @Test(arguments: SubjectKind.allCases)
  func `Cancel races with send, request, completion and itself`(_ kind: SubjectKind) {
    for _ in 0..<200 {
      let subject = UncheckedBox(kind.make())
      let recorder = Recorder<Int, TestError>(demand: .max(1))
      let values = Locked(0)
      recorder.onValue = { _ in
        values.change { $0 += 1 }
        return .max(1)
      }
      subject.value.subscribe(recorder)
      let subscription = UncheckedBox(recorder.subscriptions[0])
      onThreads([
        { for value in 1...10 { subject.value.send(value) } },
        { subscription.value.cancel() },
        { for _ in 0..<5 { subscription.value.request(.max(1)) } },
        {
          subscription.value.cancel()
          subject.value.send(completion: .finished)
        },
      ])
      let before = values.value
      subject.value.send(11)
      #expect(values.value == before)
    }
  }

  @Test func `A sink may be cancelled while its sources deliver, and frees its closure once`() {
    for _ in 0..<200 {
      var graveyard = Graveyard()
      let subject = PassthroughSubject<Int, Never>()
      let sum = Locked(0)
      var cancellables: [AnyCancellable] = []
      do {
        for index in 0..<3 {
          let canary = graveyard.watch(Canary(), "closure \(index)")
          cancellables.append(
            subject.map { $0 + 1 }.sink { value in
              withExtendedLifetime(canary) { sum.change { $0 += value } }
            })
        }
      }
      let box = cancellables
      onThreads([
        { for value in 1...20 { subject.send(value) } },
        { for value in 1...20 { subject.send(value) } },
        { for cancellable in box { cancellable.cancel() } },
      ])
      #expect(graveyard.survivors.isEmpty)
    }
  }

  @Test func `Requests race with a cancel of a sequence`() {
    for _ in 0..<200 {
      let recorder = Recorder<Int, Never>(demand: nil)
      (1...100).publisher.subscribe(recorder)
      let subscription = UncheckedBox(recorder.subscriptions[0])
      onThreads([
        { for _ in 0..<20 { subscription.value.request(.max(1)) } },
        { subscription.value.cancel() },
      ])
      #expect(recorder.values == Array((1...100).prefix(recorder.values.count)))
      #expect(recorder.completions.isEmpty)
    }
  }
}
