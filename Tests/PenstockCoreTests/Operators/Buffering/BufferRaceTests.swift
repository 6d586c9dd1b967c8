// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// Values from one thread, requests and cancels from other threads.
@Suite struct BufferRaceTests {
  /// A recorder that returns demand for every fourth value.
  private func returningRecorder() -> Recorder<Int, TestError> {
    let recorder = Recorder<Int, TestError>(demand: nil)
    recorder.onValue = { [unowned recorder] _ in recorder.values.count.isMultiple(of: 4) ? .max(1) : .none }
    return recorder
  }

  @Test func `Nothing is lost, doubled or out of order between a sender and two who ask`() {
    for _ in 0..<30 {
      let subject = PassthroughSubject<Int, TestError>()
      let subscriber = returningRecorder()
      subject.buffer(size: 10_000, prefetch: .byRequest, whenFull: .dropNewest).subscribe(subscriber)
      let box = UncheckedBox(subject)
      onThreads([
        { for value in 0..<1_000 { box.value.send(value) } },
        { for _ in 0..<200 { subscriber.subscription?.request(.max(1)) } },
        { for _ in 0..<200 { subscriber.subscription?.request(.max(1)) } },
      ])
      // 400 requested, and one more returned for every fourth value.
      let count = subscriber.values.count
      #expect(count == 400 + count / 4)
      subscriber.subscription?.request(.unlimited)
      subject.send(completion: .finished)
      #expect(subscriber.values == Array(0..<1_000))
      #expect(subscriber.completions.count == 1)
      #expect(subscriber.isSerial)
    }
  }

  @Test func `A full buffer stays full with values from the threads that ask`() {
    for _ in 0..<30 {
      let subscriber = returningRecorder()
      Publishers.Sequence<Range<Int>, TestError>(sequence: 0..<1_000)
        .buffer(size: 4, prefetch: .keepFull, whenFull: .customError { .oops }).subscribe(subscriber)
      onThreads(2) { _ in
        for _ in 0..<300 { subscriber.subscription?.request(.max(1)) }
      }
      let count = subscriber.values.count
      #expect(count == 600 + count / 4)
      subscriber.subscription?.request(.unlimited)
      #expect(subscriber.values == Array(0..<1_000))
      #expect(subscriber.completions.count == 1)
      #expect(subscriber.isSerial)
    }
  }

  @Test func `The bound is kept while another thread asks`() {
    for _ in 0..<30 {
      let subject = PassthroughSubject<Int, TestError>()
      let subscriber = returningRecorder()
      subject.buffer(size: 8, prefetch: .byRequest, whenFull: .dropOldest).subscribe(subscriber)
      let box = UncheckedBox(subject)
      onThreads([
        { for value in 0..<1_000 { box.value.send(value) } },
        { for _ in 0..<100 { subscriber.subscription?.request(.max(1)) } },
      ])
      let count = subscriber.values.count
      subscriber.subscription?.request(.unlimited)
      #expect(subscriber.values.count <= count + 8)
      #expect(subscriber.values == subscriber.values.sorted())
      #expect(subscriber.values.last == 999)
    }
  }

  @Test func `A cancel races with everything, and a sink's closures are freed`() {
    for _ in 0..<200 {
      var graveyard = Graveyard()
      let subject = PassthroughSubject<Int, TestError>()
      let cancellable: AnyCancellable
      do {
        let canary = graveyard.watch(Canary(), "closure")
        cancellable = subject.buffer(size: 4, prefetch: .byRequest, whenFull: .customError { .oops })
          .sink(receiveCompletion: { _ in }, receiveValue: { _ in withExtendedLifetime(canary) {} })
      }
      let box = UncheckedBox(subject)
      onThreads([
        { for value in 1...10 { box.value.send(value) } },
        { box.value.send(completion: .failure(.oops)) },
        { cancellable.cancel() },
      ])
      #expect(graveyard.survivors.isEmpty)
    }
  }
}
