// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockKit
import PenstockTesting
import TestSupport
import Testing

/// What a steered stage has left at the end, and outputs that are joined where they wait.
@Suite struct SteeredRestTests {
  private typealias Values = PassthroughSubject<Int, TestError>

  @Test func `What is left comes before the end, and signals that follow find nobody`() {
    let (values, flush) = (Values(), Values())
    let recorder = Recorder<[Int], TestError>()
    recorder.onValue = { _ in
      flush.send(0)
      return .none
    }
    values.steered(by: flush, ChunksStage()).subscribe(recorder)
    [1, 2].forEach(values.send)
    flush.send(0)
    values.send(3)
    values.send(completion: .finished)
    #expect(recorder.values == [[1, 2], [3]])
    #expect(recorder.isFinished)
  }

  @Test func `Nothing is delivered where nothing is left`() {
    let (values, flush, recorder) = (Values(), Values(), Recorder<[Int], TestError>())
    values.steered(by: flush, ChunksStage()).subscribe(recorder)
    values.send(1)
    flush.send(0)
    values.send(completion: .finished)
    #expect(recorder.values == [[1]] && recorder.isFinished)
  }

  @Test func `A stage that finishes the stream gets rid of its rest, and both upstreams are cancelled first`() {
    var trace: [String] = []
    let (values, flush) = (Values(), Values())
    let recorder = Recorder<[Int], TestError>()
    recorder.onValue = { _ in
      trace.append("rest")
      values.send(2)
      return .none
    }
    values.handleEvents(receiveCancel: { trace.append("cancelled") })
      .steered(by: flush, ChunksStage()).subscribe(recorder)
    values.send(1)
    flush.send(completion: .finished)
    #expect(trace == ["cancelled", "rest"])
    #expect(recorder.values == [[1]] && recorder.isFinished)
  }

  @Test(arguments: [true, false])
  func `A failure of either drops the rest, and does not wait`(_ ofValues: Bool) {
    let (values, flush, recorder) = (Values(), Values(), Recorder<[Int], TestError>(demand: .max(1)))
    var rests = 0
    values.steered(by: flush, ChunksStage(onRest: { rests += 1 })).subscribe(recorder)
    values.send(1)
    (ofValues ? values : flush).send(completion: .failure(.oops))
    #expect(recorder.values == [] && recorder.completions == [.failure(.oops)])
    #expect(rests == 0)
  }

  @Test func `The rest and the end wait for demand`() {
    let (values, flush, recorder) = (Values(), Values(), Recorder<[Int], TestError>(demand: .max(1)))
    values.steered(by: flush, ChunksStage()).subscribe(recorder)
    values.send(1)
    flush.send(0)
    recorder.request(.max(1))
    values.send(2)
    flush.send(0)
    #expect(recorder.values == [[1], [2]])
    // It had been asked for before.
    values.send(3)
    values.send(completion: .finished)
    #expect(recorder.values == [[1], [2]] && recorder.completions == [])
    recorder.request(.max(1))
    #expect(recorder.values == [[1], [2], [3]] && recorder.isFinished)
  }

  @Test func `Without demand an output waits, others join it, and one value at a time is asked for`() {
    let upstream = ManualPublisher<Int, TestError>()
    let (flush, recorder) = (Values(), Recorder<[Int], TestError>(demand: nil))
    upstream.steered(by: flush, ChunksStage()).subscribe(recorder)
    #expect(upstream.calls == [])
    recorder.request(.max(1))
    #expect(upstream.calls == [.requested(.max(1))])
    // The demand is unmet as long as no array has left.
    #expect(upstream.send(1) == .max(1))
    flush.send(0)
    #expect(recorder.values == [[1]])
    // It had been asked for before.
    #expect(upstream.send(2) == .none)
    flush.send(0)
    flush.send(0)
    #expect(recorder.values == [[1]])
    upstream.send(completion: .finished)
    #expect(recorder.completions == [])
    recorder.request(.max(1))
    #expect(recorder.values == [[1], [2]] && recorder.isFinished)
  }

  @Test func `Unlimited demand asks for everything`() {
    let upstream = ManualPublisher<Int, TestError>()
    let (flush, recorder) = (Values(), Recorder<[Int], TestError>())
    upstream.steered(by: flush, ChunksStage()).subscribe(recorder)
    #expect(upstream.calls == [.requested(.unlimited)])
    #expect(upstream.send(1) == .none)
    upstream.send(completion: .finished)
    #expect(recorder.values == [[1]] && recorder.isFinished)
  }

  @Test func `A cancel while the rest is taken, or during the output before it, is the end`() {
    for early in [true, false] {
      let (values, flush, recorder) = (Values(), Values(), Recorder<[Int], TestError>())
      if early {
        values.steered(by: flush, ChunksStage(onRest: { recorder.cancel() })).subscribe(recorder)
        values.send(1)
        values.send(completion: .finished)
        #expect(recorder.values == [])
      } else {
        recorder.onValue = { _ in
          recorder.cancel()
          return .none
        }
        values.steered(by: flush, LastAndRestStage()).subscribe(recorder)
        values.send(1)
        #expect(recorder.values == [[1]])
      }
      #expect(recorder.completions == [])
      recorder.onValue = nil
    }
  }

  @Test func `A rate that nobody has asked for is dropped, or takes the place of the one before, or is added`() {
    func rates<Policy: RatePolicy>(_ policy: Policy.Type) -> (asked: [Int], waiting: [Int]) {
      let (values, tick, recorder) = (Values(), Values(), Recorder<Int, TestError>(demand: .max(1)))
      values.buffer(size: 9, prefetch: .keepFull, whenFull: .dropNewest)
        .steered(by: tick, RateStage<Int, TestError, Int, Policy>()).subscribe(recorder)
      (1...3).forEach(values.send)
      tick.send(0)
      let asked = recorder.values
      (1...2).forEach(values.send)
      tick.send(0)
      values.send(1)
      values.send(completion: .finished)
      recorder.request(.unlimited)
      #expect(recorder.isFinished)
      return (asked, Array(recorder.values.dropFirst()))
    }

    #expect(rates(Dropping.self) == ([3], []))
    #expect(rates(Keeping.self) == ([3], [1]))
    // One value had been asked for before the demand was met; the others have waited upstream.
    let (asked, waiting) = rates(Joining.self)
    #expect(asked == [3])
    #expect(waiting.reduce(0, +) == 3)
  }

  @Test func `Where demand is forwarded the rest takes the place of a value that was absorbed`() {
    let recorder = Recorder<Int, TestError>(demand: .max(3))
    [1, 2, 3].publisher.setFailureType(to: TestError.self)
      .steered(by: Empty<Int, TestError>(completeImmediately: false), OneBehindStage()).subscribe(recorder)
    #expect(recorder.values == [1, 2, 3] && recorder.isFinished)
    #expect(recorder.complaints == [])
  }

  @Test func `Stages of which outputs have to be joined say how, or the pipeline is not made`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct Forgetful: SteeredStage {
        static var demand: SteeredDemand { .whileUnmet }
        func receive(_ input: Int) -> Verdict<Int, Never> { .absorb }
        func receive(signal: Int) -> Verdict<Int, Never> { .emit(signal) }
      }
      _ = Just(1).steered(by: Just(1), Forgetful())
    }
    expectMessage(result, "Forgetful: its demand is .whileUnmet")
    expectMessage(result, "`joining`")
  }

  @Test func `Whatever the order of a signal, requests and the end on threads, each value comes once`() {
    for _ in 0..<200 {
      let (values, flush, recorder) = (Values(), Values(), Recorder<[Int], TestError>(demand: nil))
      values.buffer(size: 99, prefetch: .keepFull, whenFull: .dropNewest)
        .steered(by: flush.append(Empty(completeImmediately: false)), ChunksStage()).subscribe(recorder)
      onThreads(
        within: 60,
        [
          {
            (1...20).forEach(values.send)
            values.send(completion: .finished)
          },
          { for _ in 0..<10 { flush.send(0) } },
          { for _ in 0..<20 { recorder.request(.max(1)) } },
        ])
      recorder.request(.unlimited)
      #expect(recorder.values.flatMap { $0 } == Array(1...20) && recorder.isFinished)
      #expect(!recorder.hasOverlapped && recorder.complaints == [])
    }
  }
}

/// Ends the stream with its first value, and has a rest then.
private struct LastAndRestStage<Signal>: SteeredStage {
  mutating func receive(_ input: Int) -> Verdict<[Int], TestError> { .emitAndFinish([input]) }

  func receive(signal: Signal) -> Verdict<[Int], TestError> { .absorb }

  func takeRest() -> [Int]? { [0] }
}
