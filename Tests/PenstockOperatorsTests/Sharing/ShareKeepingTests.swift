// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

/// `share(keepingFor:scheduler:)` and `share(replay:keepingFor:scheduler:)`: the behaviour that both share.
@Suite struct ShareKeepingTests {
  enum Kind: CaseIterable {
    case plain, replaying

    func share<P: Publisher, S: Scheduler>(
      _ publisher: P, for time: S.SchedulerTimeType.Stride, _ scheduler: S
    ) -> AnyPublisher<P.Output, P.Failure> {
      switch self {
      case .plain: publisher.share(keepingFor: time, scheduler: scheduler).eraseToAnyPublisher()
      case .replaying: publisher.share(replay: 1, keepingFor: time, scheduler: scheduler).eraseToAnyPublisher()
      }
    }
  }

  private let scheduler = VirtualTimeScheduler()
  private let source = CountedPublisher<Int, TestError>()

  @Test(arguments: Kind.allCases)
  func `Upstream is cancelled when there has been nobody for the time`(_ kind: Kind) {
    let shared = kind.share(source, for: 5, scheduler)
    let recorder = Recorder<Int, TestError>()
    shared.subscribe(recorder)
    #expect(scheduler.pending.isEmpty)
    recorder.cancel()
    scheduler.advance(by: 4.5)
    #expect(source.cancelled.value == 0)
    scheduler.advance(by: 0.5)
    #expect((source.subscribed.value, source.cancelled.value) == (1, 1))
    #expect(scheduler.pending.isEmpty)
    shared.subscribe(Recorder())
    #expect(source.subscribed.value == 2)
  }

  @Test(arguments: Kind.allCases)
  func `Who comes in time keeps upstream, and the next time begins anew`(_ kind: Kind) {
    let shared = kind.share(source, for: 5, scheduler)
    for _ in 0..<3 {
      let recorder = Recorder<Int, TestError>()
      shared.subscribe(recorder)
      #expect(scheduler.pending.isEmpty)
      recorder.cancel()
      scheduler.advance(by: 4)
    }
    #expect((source.subscribed.value, source.cancelled.value) == (1, 0))
    scheduler.advance(by: 1)
    #expect(source.cancelled.value == 1)
  }

  @Test(arguments: Kind.allCases)
  func `Who comes and goes after the timer has fired, and before upstream is cancelled, counts`(_ kind: Kind) {
    let scheduler = InterruptedScheduler()
    let shared = kind.share(source, for: 5, scheduler)
    func comeAndGo() {
      let recorder = Recorder<Int, TestError>()
      shared.subscribe(recorder)
      recorder.cancel()
    }
    comeAndGo()
    scheduler.base.advance(by: 4)
    scheduler.onTimerCancel = comeAndGo
    scheduler.base.advance(by: 5)
    #expect(scheduler.onTimerCancel == nil)
    #expect((source.subscribed.value, source.cancelled.value) == (1, 0))
    scheduler.base.advance(by: 1)
    #expect((source.subscribed.value, source.cancelled.value) == (1, 1))
    #expect(scheduler.base.pending.isEmpty)
  }

  @Test(arguments: Kind.allCases)
  func `There is one timer, however many come and go`(_ kind: Kind) {
    let shared = kind.share(source, for: 5, scheduler)
    for _ in 0..<100 {
      let (first, second) = (Recorder<Int, TestError>(), Recorder<Int, TestError>())
      shared.subscribe(first)
      shared.subscribe(second)
      first.cancel()
      #expect(scheduler.pending.isEmpty)
      second.cancel()
      #expect(scheduler.pending.count == 1)
    }
  }

  @Test(arguments: Kind.allCases)
  func `The end within the time stops the timer, and upstream is left alone`(_ kind: Kind) {
    let shared = kind.share(source, for: 5, scheduler)
    let (first, late) = (Recorder<Int, TestError>(), Recorder<Int, TestError>())
    shared.subscribe(first)
    first.cancel()
    source.subject.send(completion: .failure(.oops))
    #expect(scheduler.pending.isEmpty)
    shared.subscribe(late)
    #expect(late.completions == [.failure(.oops)])
    scheduler.advance(by: 10)
    #expect((source.subscribed.value, source.cancelled.value) == (1, 0))
  }

  /// A peer's `refCount` has missed a subscriber that arrived during the completion.
  @Test(arguments: Kind.allCases)
  func `Who subscribes again in its completion gets the completion`(_ kind: Kind) {
    let shared = kind.share(source, for: 5, scheduler)
    let (first, again) = (Recorder<Int, TestError>(), Recorder<Int, TestError>())
    first.onCompletion = { _ in shared.subscribe(again) }
    shared.subscribe(first)
    source.subject.send(completion: .finished)
    #expect(again.isFinished)
    #expect(source.subscribed.value == 1)
  }

  @Test(arguments: Kind.allCases)
  func `A publisher that is freed cancels upstream at once, and the timer`(_ kind: Kind) {
    do {
      let recorder = Recorder<Int, TestError>()
      let shared = kind.share(source, for: 5, scheduler)
      shared.subscribe(recorder)
      recorder.dismiss()
      #expect(source.cancelled.value == 0)
    }
    #expect(source.cancelled.value == 1)
    #expect(scheduler.pending.isEmpty)
  }

  @Test(arguments: Kind.allCases)
  func `No time at all is the scheduler's next turn`(_ kind: Kind) {
    let shared = kind.share(source, for: 0, scheduler)
    let recorder = Recorder<Int, TestError>()
    shared.subscribe(recorder)
    recorder.cancel()
    #expect(source.cancelled.value == 0)
    scheduler.advance()
    #expect(source.cancelled.value == 1)
  }

  @Test(arguments: Kind.allCases)
  func `A subscriber that comes when upstream is being cancelled starts it again`(_ kind: Kind) {
    let again = Recorder<Int, TestError>()
    let hooked = Locked<AnyPublisher<Int, TestError>?>(nil)
    let upstream = source.handleEvents(receiveCancel: { hooked.change { $0.take() }?.subscribe(again) })
    let shared = kind.share(upstream, for: 5, scheduler)
    let recorder = Recorder<Int, TestError>()
    shared.subscribe(recorder)
    hooked.change { $0 = shared }
    recorder.cancel()
    scheduler.advance(by: 5)
    #expect(source.subscribed.value == 2)
    source.subject.send(1)
    #expect(again.values == [1] && again.complaints.isEmpty)
  }

  @Test(arguments: Kind.allCases)
  func `Two first subscribers at once, and their leaving, while the timer goes off`(_ kind: Kind) {
    for _ in 0..<50 {
      let (source, scheduler) = (CountedPublisher<Int, Never>(), VirtualTimeScheduler())
      let shared = UncheckedBox(kind.share(source, for: 1, scheduler))
      onThreads(3) { index in
        for _ in 0..<20 {
          if index == 0 { scheduler.advance(by: 1) } else { shared.value.sink { _ in }.cancel() }
        }
      }
      scheduler.advance(by: 5)
      #expect(source.subscribed.value == source.cancelled.value)
      let recorder = Recorder<Int, Never>()
      shared.value.subscribe(recorder)
      source.subject.send(7)
      #expect(recorder.values == [7])
    }
  }

  @Test func `What upstream sends meanwhile is replayed, and forgotten with upstream`() {
    let shared = source.share(replay: 2, keepingFor: 5, scheduler: scheduler)
    let (first, second, third) = (
      Recorder<Int, TestError>(), Recorder<Int, TestError>(), Recorder<Int, TestError>()
    )
    shared.subscribe(first)
    source.subject.send(1)
    first.cancel()
    for value in 2...3 { source.subject.send(value) }
    shared.subscribe(second)
    #expect(second.values == [2, 3])
    second.cancel()
    scheduler.advance(by: 5)
    shared.subscribe(third)
    #expect(third.values.isEmpty)
  }

  @Test func `Without a replay, what upstream sends meanwhile is gone, and what is not asked for, too`() {
    let shared = source.share(keepingFor: 5, scheduler: scheduler)
    let (first, second) = (Recorder<Int, TestError>(demand: nil), Recorder<Int, TestError>())
    shared.subscribe(first)
    source.subject.send(1)
    first.request(.max(1))
    source.subject.send(2)
    source.subject.send(3)
    #expect(first.values == [2])
    first.cancel()
    source.subject.send(4)
    shared.subscribe(second)
    source.subject.send(5)
    #expect(second.values == [5])
  }

  @Test func `What was kept is freed with upstream`() {
    var graveyard = Graveyard()
    let source = PassthroughSubject<Canary, Never>()
    let shared = source.share(replay: 2, keepingFor: 1, scheduler: scheduler)
    let cancellable = shared.sink { _ in }
    source.send(graveyard.watch(Canary()))
    cancellable.cancel()
    #expect(graveyard.survivors.count == 1)
    scheduler.advance(by: 1)
    #expect(graveyard.survivors.isEmpty)
    withExtendedLifetime(shared) {}
  }

  @Test func `A negative duration traps`() async {
    expectMessage(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Just(1).share(keepingFor: -1, scheduler: VirtualTimeScheduler())
      }, "share(keepingFor:) takes a duration of zero or more")
  }

  // MARK: The model

  /// Random courses in virtual time, compared with a model that knows only the number of subscribers, and since when
  /// there have been none.
  @Test(arguments: Kind.allCases)
  func `Random courses of sixty events go as in the model`(_ kind: Kind) {
    for seed in 0..<200 {
      var random = SeededGenerator(seed: UInt64(seed))
      let (source, scheduler) = (CountedPublisher<Int, Never>(), VirtualTimeScheduler())
      let shared = kind.share(source, for: 3, scheduler)
      var recorders: [Recorder<Int, Never>] = []
      var (time, emptySince, subscribed, cancelled, sent) = (0.0, Double?.none, 0, 0, 0)
      var expected: [[Int]] = []
      var open: [Int] = []
      var replay: [Int] = []
      for _ in 0..<60 {
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          if subscribed == cancelled { subscribed += 1 }
          emptySince = nil
          open.append(recorders.count)
          expected.append(kind == .replaying ? replay : [])
          recorders.append(Recorder())
          shared.subscribe(recorders[recorders.count - 1])
        case 1 where !open.isEmpty:
          let index = open.remove(at: Int.random(in: open.indices, using: &random))
          if open.isEmpty { emptySince = time }
          recorders[index].cancel()
        case 2:
          sent += 1
          if subscribed > cancelled { replay = [sent] }
          for index in open { expected[index].append(sent) }
          source.subject.send(sent)
        default:
          let step = Double(Int.random(in: 0...2, using: &random))
          time += step
          if let since = emptySince, time - since >= 3 {
            (emptySince, replay) = (nil, [])
            cancelled += 1
          }
          scheduler.advance(by: .seconds(step))
        }
        guard recorders.map(\.values) == expected,
          (source.subscribed.value, source.cancelled.value) == (subscribed, cancelled)
        else {
          Issue.record("seed \(seed): \(recorders.map(\.values)) for \(expected), \(source.cancelled.value) cancels")
          return
        }
      }
    }
  }
}
