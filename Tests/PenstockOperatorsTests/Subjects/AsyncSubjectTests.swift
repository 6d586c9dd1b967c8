// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport
import Testing

@Suite struct AsyncSubjectTests {
  @Test func `The last value comes with the end, to early and late subscribers`() {
    let subject = AsyncSubject<Int, TestError>()
    let early = Recorder<Int, TestError>()
    subject.subscribe(early)
    for value in 1...3 { subject.send(value) }
    #expect(early.values.isEmpty)
    subject.send(completion: .finished)
    subject.send(4)
    subject.send(completion: .failure(.oops))
    let late = Recorder<Int, TestError>()
    subject.subscribe(late)
    for recorder in [early, late] {
      #expect(recorder.events == [.subscription("AsyncSubject"), .value(3), .completion(.finished)])
    }
  }

  @Test func `The value waits for a request, and the completion for the value`() {
    let subject = AsyncSubject<Int, TestError>()
    let (early, late) = (Recorder<Int, TestError>(demand: nil), Recorder<Int, TestError>(demand: nil))
    subject.subscribe(early)
    subject.send(1)
    subject.send(completion: .finished)
    subject.subscribe(late)
    for recorder in [early, late] {
      #expect(recorder.values.isEmpty && recorder.completions.isEmpty)
      recorder.request(.max(1))
      #expect(recorder.values == [1] && recorder.isFinished && recorder.complaints.isEmpty)
    }
  }

  @Test func `An end without a value, and a failure, need no request`() {
    for end in [Subscribers.Completion<TestError>.finished, .failure(.oops)] {
      let subject = AsyncSubject<Int, TestError>()
      let (early, late) = (Recorder<Int, TestError>(demand: nil), Recorder<Int, TestError>(demand: nil))
      subject.subscribe(early)
      if end != .finished { subject.send(1) }
      subject.send(completion: end)
      subject.subscribe(late)
      #expect(early.completions == [end] && late.completions == [end])
      #expect(early.values.isEmpty && late.values.isEmpty)
    }
  }

  @Test func `A cancel before the end, or within the value, is the last event`() {
    let subject = AsyncSubject<Int, TestError>()
    let (gone, leaving) = (Recorder<Int, TestError>(), Recorder<Int, TestError>())
    leaving.onValue = { [unowned leaving] _ in
      leaving.cancel()
      return .none
    }
    for recorder in [gone, leaving] { subject.subscribe(recorder) }
    subject.send(1)
    gone.cancel()
    subject.send(completion: .finished)
    #expect(gone.values.isEmpty && leaving.values == [1])
    #expect(gone.completions.isEmpty && leaving.completions.isEmpty)
  }

  @Test func `A value that is replaced may send`() {
    final class Sender {
      let action: () -> Void
      init(_ action: @escaping () -> Void) { self.action = action }
      deinit { action() }
    }
    let subject = AsyncSubject<Sender, Never>()
    let recorder = Recorder<Sender, Never>()
    subject.subscribe(recorder)
    subject.send(Sender { [unowned subject] in subject.send(completion: .finished) })
    subject.send(Sender {})
    #expect(recorder.values.count == 1 && recorder.isFinished)
  }

  @Test func `It feeds from an upstream, which does not keep it alive`() {
    let publisher = ManualPublisher<Int, Never>()
    var graveyard = Graveyard()
    let recorder = Recorder<Int, Never>()
    var cancellable: AnyCancellable?
    do {
      let subject = graveyard.watch(AsyncSubject<Int, Never>())
      cancellable = publisher.subscribe(subject)
      subject.subscribe(recorder)
      for value in 1...2 { publisher.send(value) }
      publisher.send(completion: .finished)
    }
    #expect(recorder.values == [2] && recorder.isFinished && cancellable != nil)
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `An end that races with sends and subscribers is one end with one value`() {
    for _ in 0..<100 {
      let subject = AsyncSubject<Int, Never>()
      subject.send(0)
      let recorders = (0..<4).map { _ in Recorder<Int, Never>() }
      onThreads(3) { thread in
        switch thread {
        case 0: for value in 1...20 { subject.send(value) }
        case 1: subject.send(completion: .finished)
        default: for recorder in recorders { subject.subscribe(recorder) }
        }
      }
      #expect(recorders.allSatisfy { $0.values.count == 1 && $0.isFinished && !$0.hasOverlapped })
      #expect(Set(recorders.flatMap(\.values)).count == 1)
    }
  }
}
