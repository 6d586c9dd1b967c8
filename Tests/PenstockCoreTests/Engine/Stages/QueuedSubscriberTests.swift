// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport
import Testing

/// A stage that requests everything and republishes it, so that outputs are held before upstream has ended.
private final class EveryValue: QueuedStage {
  typealias Channel = PassingChannel<TestError>

  static var name: String { "EveryValue" }

  var demand: QueuedDemand { .unlimited }

  /// Ends the stream at a negative value.
  func receive(_ input: Int) -> Verdict<Int, TestError> { input < 0 ? .emitAndFinish(input) : .emit(input) }

  /// Adds one more output to the end.
  func finish(
    _ completion: Subscribers.Completion<TestError>, into outputs: inout Outputs<Int>
  ) -> Subscribers.Completion<TestError> {
    outputs.append(100)
    return completion
  }
}

/// Outputs that are held while upstream continues.
@Suite struct QueuedSubscriberTests {
  private func attach(_ recorder: Recorder<Int, TestError>) -> ManualPublisher<Int, TestError> {
    let publisher = ManualPublisher<Int, TestError>()
    publisher.lift { EveryValue() }.subscribe(recorder)
    return publisher
  }

  @Test func `Outputs are delivered within demand, in order, and the tail and the completion come behind them`() {
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    let publisher = attach(recorder)
    for value in 1...3 { #expect(publisher.send(value) == .none) }
    #expect(recorder.values == [1])
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2])
    publisher.send(4)
    recorder.request(.max(3))
    publisher.send(5)
    publisher.send(completion: .finished)
    #expect(recorder.values == [1, 2, 3, 4, 5])
    #expect(recorder.completions.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2, 3, 4, 5, 100])
    #expect(recorder.isFinished)
    #expect(publisher.calls == [.requested(.unlimited)])
  }

  @Test func `A value that ends the stream comes before the tail, and cancels upstream`() {
    let recorder = Recorder<Int, TestError>(demand: nil)
    let publisher = attach(recorder)
    for value in [1, -1, 2] { publisher.send(value) }
    #expect(publisher.calls == [.requested(.unlimited), .cancelled])
    recorder.request(.unlimited)
    #expect(recorder.values == [1, -1, 100])
    #expect(recorder.isFinished)
  }

  @Test func `A failure discards what is held, and is delivered at once`() {
    let recorder = Recorder<Int, TestError>(demand: nil)
    let publisher = attach(recorder)
    publisher.send(1)
    publisher.send(completion: .failure(.oops))
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription("EveryValue"), .completion(.failure(.oops))])
  }

  @Test func `Demand that is returned or requested during a delivery is served by the same loop`() {
    for returns in [true, false] {
      let recorder = Recorder<Int, TestError>(demand: nil)
      recorder.onValue = { [unowned recorder] _ in
        if !returns { recorder.request(.max(1)) }
        return returns ? .max(1) : .none
      }
      let publisher = attach(recorder)
      for value in 1...3 { publisher.send(value) }
      recorder.request(.max(1))
      publisher.send(4)
      publisher.send(completion: .finished)
      #expect(recorder.values == [1, 2, 3, 4, 100])
      #expect(recorder.isFinished)
    }
  }

  @Test func `A value that is sent during the delivery of what is held comes behind all of it`() {
    let recorder = Recorder<Int, TestError>(demand: nil)
    let publisher = attach(recorder)
    recorder.onValue = { value in
      if value == 1 { publisher.send(3) }
      return .none
    }
    for value in 1...2 { publisher.send(value) }
    recorder.request(.unlimited)
    #expect(recorder.values == [1, 2, 3])
    publisher.send(4)
    #expect(recorder.values == [1, 2, 3, 4])
  }

  @Test func `What a nested value holds waits for the delivery when another thread requests it`() {
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    let publisher = attach(recorder)
    var during: [Int] = []
    recorder.onValue = { [unowned recorder] value in
      guard value == 1 else { return .none }
      publisher.send(2)
      let recorder = recorder
      elsewhere { recorder.request(.max(1)) }
      during = recorder.values
      return .none
    }
    publisher.send(1)
    #expect(during == [1])
    #expect(recorder.values == [1, 2])
  }

  @Test func `A cancel drops what is held, and frees it`() {
    let recorder = Recorder<Int, TestError>(demand: .max(1))
    recorder.onValue = { [unowned recorder] _ in
      recorder.cancel()
      return .max(1)
    }
    let publisher = attach(recorder)
    for value in 1...3 { publisher.send(value) }
    recorder.request(.unlimited)
    #expect(recorder.values == [1])
    #expect(publisher.calls == [.requested(.unlimited), .cancelled])
  }

  @Test func `Values and requests of several threads: nothing overlaps, nothing is lost`() {
    for _ in 0..<100 {
      let probe = Recorder<Int, TestError>(demand: nil)
      let subject = PassthroughSubject<Int, TestError>()
      subject.lift { EveryValue() }.subscribe(probe)
      onThreads(3) { thread in
        if thread == 0 {
          for value in 1...40 { subject.send(value) }
          subject.send(completion: .finished)
        } else {
          for _ in 1...21 { probe.request(.max(1)) }
        }
      }
      #expect(!probe.hasOverlapped)
      #expect(probe.values == Array(1...40) + [100])
      #expect(probe.completions.count == 1)
    }
  }

  @Test func `Demand that becomes unlimited while values are held and sent keeps their order`() {
    for _ in 0..<200 {
      let probe = Recorder<Int, TestError>(demand: nil)
      let subject = PassthroughSubject<Int, TestError>()
      subject.lift { EveryValue() }.subscribe(probe)
      for value in 1...3 { subject.send(value) }
      onThreads([{ for value in 4...20 { subject.send(value) } }, { probe.request(.unlimited) }])
      #expect(!probe.hasOverlapped)
      #expect(probe.values == Array(1...20))
    }
  }

  @Test func `A sink below is freed by a cancel that races with everything`() {
    for _ in 0..<100 {
      var graveyard = Graveyard()
      let subject = PassthroughSubject<Int, TestError>()
      let cancellable: AnyCancellable
      do {
        let canary = graveyard.watch(Canary(), "closure")
        cancellable = subject.lift { EveryValue() }.sink(
          receiveCompletion: { _ in }, receiveValue: { _ in withExtendedLifetime(canary) {} })
      }
      onThreads([
        { for value in 1...5 { subject.send(value) } },
        { subject.send(completion: .finished) },
        { cancellable.cancel() },
      ])
      #expect(graveyard.survivors.isEmpty)
    }
  }
}
