// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockDispatch
import PenstockKit
import PenstockTesting
import TestSupport
import Testing

/// A stage that is called when a time has come.
@Suite struct TimedStageTests {
  private typealias Values = PassthroughSubject<Int, TestError>
  private typealias Clock = VirtualTimeScheduler<VirtualTime, Never>

  /// What arrives, with the seconds of virtual time.
  private func trace(
    _ clock: Clock, _ values: Values, following: @escaping (VirtualTime) -> VirtualTime? = { _ in nil },
    first: Int? = nil, _ body: () -> Void
  ) -> [String] {
    var trace: [String] = []
    let cancellable =
      values
      .scheduled { AlarmStage(clock, first: first, following: following) }
      .sink(
        receiveCompletion: { _ in trace.append("end at \(seconds(clock.now))") },
        receiveValue: { trace.append("\(seconds($0)) at \(seconds(clock.now))") })
    body()
    cancellable.cancel()
    #expect(clock.pending.isEmpty)
    return trace
  }

  private func seconds(_ time: VirtualTime) -> Int { time.nanoseconds / 1_000_000_000 }

  @Test func `A stage is called when its time has come, once, and not before`() {
    let (clock, values) = (Clock(), Values())
    let trace = trace(clock, values) {
      values.send(3)
      clock.advance(by: .seconds(2))
      clock.advance(by: .seconds(60))
    }
    #expect(trace == ["3 at 3"])
  }

  @Test func `A deadline that is set anew takes the place of the one before, later or earlier`() {
    let (clock, values) = (Clock(), Values())
    let trace = trace(clock, values) {
      values.send(3)
      values.send(5)
      clock.advance(by: .seconds(10))
      values.send(20)
      values.send(12)
      clock.advance(by: .seconds(60))
    }
    #expect(trace == ["5 at 5", "12 at 12"])
  }

  @Test func `A deadline is stopped, and leaves nothing at the scheduler, and starts again`() {
    let (clock, values) = (Clock(), Values())
    let trace = trace(clock, values) {
      values.send(3)
      values.send(-1)
      #expect(clock.pending.isEmpty)
      clock.advance(by: .seconds(10))
      values.send(11)
      clock.advance(by: .seconds(10))
    }
    #expect(trace == ["11 at 11"])
  }

  @Test func `The first deadline runs from the subscription`() {
    let (clock, values) = (Clock(), Values())
    #expect(trace(clock, values, first: 2) { clock.advance(by: .seconds(5)) } == ["2 at 2"])
  }

  @Test func `A deadline that is followed by another one makes a rhythm`() {
    let (clock, values) = (Clock(), Values())
    let trace = trace(clock, values, following: { $0.advanced(by: .seconds(2)) }, first: 2) {
      clock.advance(by: .seconds(7))
    }
    #expect(trace == ["2 at 2", "4 at 4", "6 at 6"])
  }

  @Test func `A deadline that is left as it is has no effect, and one in the past comes at once`() {
    let (clock, values) = (Clock(), Values())
    let trace = trace(clock, values, following: { $0 }, first: 2) {
      clock.advance(by: .seconds(7))
      values.send(3)
      clock.advance()
      clock.advance(by: .seconds(7))
    }
    #expect(trace == ["2 at 2", "3 at 7"])
  }

  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure(.oops)])
  func `The end stops the deadline, and comes on the scheduler`(_ completion: Subscribers.Completion<TestError>) {
    let (clock, values) = (Clock(), Values())
    let trace = trace(clock, values) {
      values.send(3)
      values.send(completion: completion)
      clock.advance(by: .seconds(10))
    }
    #expect(trace == ["end at 10"] || trace == ["end at 0"])
    #expect(trace == ["end at 0"])
  }

  @Test func `A cancel stops the deadline`() {
    let (clock, values, reader) = (Clock(), Values(), Recorder<VirtualTime, TestError>())
    values.scheduled { AlarmStage(clock) }.subscribe(reader)
    values.send(3)
    #expect(clock.pending == [time(3)])
    reader.cancel()
    #expect(clock.pending.isEmpty)
    clock.advance(by: .seconds(10))
    #expect(reader.events.count == 1)
  }

  @Test func `A cancel while the stage runs, or during an output, is the end`() {
    let (clock, values, reader) = (Clock(), Values(), Recorder<VirtualTime, TestError>())
    values.scheduled {
      AlarmStage(clock) { _ in
        reader.cancel()
        return time(9)
      }
    }.subscribe(reader)
    values.send(3)
    clock.advance(by: .seconds(60))
    #expect(reader.events.count == 1 && clock.pending.isEmpty)

    let (others, second) = (Values(), Recorder<VirtualTime, TestError>())
    second.onValue = { _ in
      second.cancel()
      return .none
    }
    others.scheduled { AlarmStage(clock) { $0.advanced(by: .seconds(1)) } }.subscribe(second)
    others.send(70)
    clock.advance(by: .seconds(60))
    #expect(second.values == [time(70)] && clock.pending.isEmpty)
    second.onValue = nil
  }

  @Test func `A time-out fails the stream, and cancels upstream`() {
    let (clock, reader) = (Clock(), Recorder<Int, TestError>())
    let upstream = ManualPublisher<Int, TestError>()
    upstream.scheduled { AliveStage(.seconds(5), clock) }.subscribe(reader)
    clock.advance(by: .seconds(4))
    _ = upstream.send(1)
    clock.advance(by: .seconds(4))
    #expect(reader.completions == [])
    clock.advance(by: .seconds(1))
    #expect(reader.values == [1] && reader.completions == [.failure(.oops)])
    #expect(upstream.calls == [.requested(.unlimited), .cancelled])
    #expect(clock.pending.isEmpty)
  }

  @Test func `Forwarded demand reaches upstream as it is`() {
    let (clock, reader) = (Clock(), Recorder<Int, TestError>(demand: .max(2)))
    let upstream = ManualPublisher<Int, TestError>()
    upstream.scheduled { AliveStage(.seconds(5), clock) }.subscribe(reader)
    reader.request(.max(3))
    #expect(upstream.calls == [.requested(.max(2)), .requested(.max(3))])
  }

  @Test func `An idle flush asks for one value at a time, and what is not wanted waits`() {
    let (clock, reader) = (Clock(), Recorder<[Int], TestError>(demand: nil))
    let upstream = ManualPublisher<Int, TestError>()
    upstream.scheduled { IdleFlushStage(.seconds(1), clock) }.subscribe(reader)
    #expect(upstream.calls == [])
    reader.request(.max(1))
    #expect(upstream.calls == [.requested(.max(1))])
    #expect(upstream.send(1) == .max(1))
    clock.advance(by: .seconds(1))
    #expect(reader.values == [[1]])
    // It had been asked for before.
    #expect(upstream.send(2) == .none)
    clock.advance(by: .seconds(1))
    upstream.send(completion: .finished)
    clock.advance(by: .seconds(1))
    #expect(reader.values == [[1]] && reader.completions == [])
    reader.request(.max(1))
    clock.advance()
    #expect(reader.values == [[1], [2]] && reader.isFinished && reader.complaints == [])
  }

  @Test func `What is left comes before the end, without waiting for its time`() {
    let (clock, values, reader) = (Clock(), Values(), Recorder<[Int], TestError>())
    values.scheduled { IdleFlushStage(.seconds(1), clock) }.subscribe(reader)
    (1...2).forEach(values.send)
    values.send(completion: .finished)
    #expect(reader.values == [])
    clock.advance()
    #expect(reader.values == [[1, 2]] && reader.isFinished && clock.pending.isEmpty)
  }

  @Test func `A value that a stage's closure sends waits until the stage has returned`() {
    final class CallingStage: TimedStage {
      let scheduler: Clock
      let call: (Int) -> Void
      var deadline: VirtualTime?
      var isRunning = false

      init(_ scheduler: Clock, call: @escaping (Int) -> Void) {
        self.scheduler = scheduler
        self.call = call
      }

      func receive(_ input: Int) -> Verdict<Int, TestError> {
        #expect(!isRunning)
        isRunning = true
        call(input)
        isRunning = false
        return .emit(input)
      }

      func receive(deadline: VirtualTime) -> Verdict<Int, TestError> { .absorb }
    }

    let (clock, values, reader) = (Clock(), Values(), Recorder<Int, TestError>())
    values.scheduled { CallingStage(clock) { if $0 == 1 { values.send(2) } } }.subscribe(reader)
    values.send(1)
    clock.advance()
    #expect(reader.values == [1, 2])
    values.send(completion: .finished)
    clock.advance()
  }

  @Test func `A scheduler that runs actions at once works, and so does one that runs them twice`() {
    let (values, reader) = (Values(), Recorder<[Int], TestError>())
    values.scheduled { IdleFlushStage(.zero, ImmediateScheduler.shared) }.subscribe(reader)
    values.send(1)
    values.send(2)
    values.send(completion: .finished)
    #expect(reader.values == [[1], [2]] && reader.isFinished)
  }

  @Test(arguments: OperatorContract.End.allCases)
  func `Nothing is left in memory`(_ end: OperatorContract.End) {
    var graveyard = Graveyard()
    let clock = Clock()
    do {
      let values = graveyard.watch(Values(), "subject")
      let reader = graveyard.watch(Recorder<[Int], TestError>(), "subscriber")
      values.scheduled { graveyard.watch(IdleFlushStage(.seconds(1), clock), "stage") }.subscribe(reader)
      values.send(1)
      switch end {
      case .cancel: reader.cancel()
      case .finish: values.send(completion: .finished)
      case .failure: values.send(completion: .failure(.oops))
      }
      clock.advance(by: .seconds(1))
      reader.releaseSubscriptions()
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `The end frees the stage, though downstream keeps its subscription`() {
    let (clock, values, reader) = (Clock(), Values(), Recorder<[Int], TestError>())
    var graveyard = Graveyard()
    do {
      values.scheduled { graveyard.watch(IdleFlushStage(.seconds(1), clock), "stage") }.subscribe(reader)
      values.send(completion: .finished)
      clock.advance()
    }
    #expect(graveyard.survivors.isEmpty && reader.isFinished)
  }

  @Test func `On queues, values, deadlines and a cancel do not overlap, and nothing is lost`() {
    for round in 0..<100 {
      let (values, reader) = (Values(), Recorder<[Int], TestError>())
      let isOver = Gate()
      reader.onCompletion = { _ in isOver.open() }
      values.scheduled { IdleFlushStage(.nanoseconds(round * 500), DispatchQueue.global()) }.subscribe(reader)
      onThreads(
        within: 60,
        [
          {
            (1...50).forEach(values.send)
            values.send(completion: .finished)
          }
        ])
      isOver.wait()
      #expect(reader.values.flatMap { $0 } == Array(1...50) && !reader.hasOverlapped)

      let (others, hasty) = (Values(), Recorder<[Int], TestError>())
      others.scheduled { IdleFlushStage(.nanoseconds(round * 500), DispatchQueue.global()) }.subscribe(hasty)
      onThreads(within: 60, [{ (1...50).forEach(others.send) }, { hasty.cancel() }])
      #expect(!hasty.hasOverlapped && hasty.completions == [])
    }
  }

  @Test func `Stages of which outputs have to be joined say how, or the pipeline is not made`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct Forgetful: TimedStage {
        static var demand: SteeredDemand { .whileUnmet }
        let scheduler = ImmediateScheduler.shared
        var deadline: ImmediateScheduler.SchedulerTimeType? { nil }
        func receive(_ input: Int) -> Verdict<Int, Never> { .absorb }
        func receive(deadline: ImmediateScheduler.SchedulerTimeType) -> Verdict<Int, Never> { .absorb }
      }
      _ = Just(1).scheduled { Forgetful() }
    }
    expectMessage(result, "Forgetful: its demand is .whileUnmet")
  }
}
