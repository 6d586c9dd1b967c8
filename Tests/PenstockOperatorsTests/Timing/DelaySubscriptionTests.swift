// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport
import Testing

@Suite struct DelaySubscriptionTests {
  private let clock = VirtualTimeScheduler()
  private let source = ManualPublisher<Int, TestError>()

  @Test func `Upstream is subscribed to when the time has passed, and its values come undelayed`() {
    let recorder = Recorder<Int, TestError>()
    source.delaySubscription(for: 2, scheduler: clock).subscribe(recorder)
    #expect(recorder.subscriptionTexts.count == 1)
    clock.advance(by: 1.9)
    #expect(source.subscribers.isEmpty)
    clock.advance(by: 0.1)
    #expect(source.subscribers.count == 1)
    source.send(1)
    #expect(recorder.values == [1])
    source.send(completion: .finished)
    #expect(recorder.isFinished)
    #expect(clock.pending.isEmpty)
  }

  @Test func `Demand before is kept and handed on, and later demand is passed on`() {
    let recorder = Recorder<Int, TestError>(demand: nil, answering: .max(3))
    source.delaySubscription(for: 2, scheduler: clock).subscribe(recorder)
    recorder.request(.max(1))
    recorder.request(.max(4))
    clock.advance(by: 2)
    #expect(source.calls == [.requested(.max(5))])
    recorder.request(.max(2))
    #expect(source.calls == [.requested(.max(5)), .requested(.max(2))])
    #expect(source.send(1) == .max(3))
  }

  @Test func `Without demand nothing is requested`() {
    let recorder = Recorder<Int, TestError>(demand: nil)
    source.delaySubscription(for: 2, scheduler: clock).subscribe(recorder)
    clock.advance(by: 2)
    #expect(source.subscribers.count == 1)
    #expect(source.calls.isEmpty)
  }

  @Test func `After a cancel before the time there is no subscription, and nothing is left but the action`() {
    var graveyard = Graveyard()
    let subscriptions = Locked(0)
    do {
      let canary = graveyard.watch(Canary(), "upstream")
      let recorder = graveyard.watch(Recorder<Int, TestError>(), "subscriber")
      Deferred { () -> Empty<Int, TestError> in
        withExtendedLifetime(canary) {}
        subscriptions.change { $0 += 1 }
        return Empty()
      }
      .delaySubscription(for: 2, scheduler: clock).subscribe(recorder)
      clock.advance(by: 1)
      recorder.dismiss()
      #expect(recorder.completions.isEmpty)
    }
    #expect(graveyard.survivors.isEmpty)
    clock.advance(by: 10)
    #expect(subscriptions.value == 0)
    #expect(clock.pending.isEmpty)
  }

  @Test func `A cancel while the subscriber receives its subscription is in time`() {
    let recorder = Recorder<Int, TestError>()
    recorder.onSubscription = { $0.cancel() }
    source.delaySubscription(for: 2, scheduler: clock).subscribe(recorder)
    clock.advance(by: 2)
    #expect(source.subscribers.isEmpty)
    #expect(clock.pending.isEmpty)
  }

  @Test func `A failure passes, and a cancel after the time reaches upstream`() {
    let failed = Recorder<Int, TestError>()
    Fail<Int, TestError>(error: .oops).delaySubscription(for: 1, scheduler: clock).subscribe(failed)
    #expect(failed.completions.isEmpty)
    let cancelled = Recorder<Int, TestError>()
    source.delaySubscription(for: 1, scheduler: clock).subscribe(cancelled)
    clock.advance(by: 1)
    #expect(failed.completions == [.failure(.oops)])
    cancelled.cancel()
    #expect(source.calls == [.requested(.unlimited), .cancelled])
  }

  @Test func `A scheduler that does everything at once subscribes during the subscription`() {
    let recorder = Recorder<Int, Never>()
    [1, 2].publisher.delaySubscription(for: 5, scheduler: ImmediateScheduler.shared).subscribe(recorder)
    #expect(recorder.values == [1, 2])
    #expect(recorder.isFinished)
  }

  @Test func `The time runs for each subscriber`() {
    let delayed = Just(7).delaySubscription(for: 2, scheduler: clock)
    let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    delayed.subscribe(first)
    clock.advance(by: 1)
    delayed.subscribe(second)
    clock.advance(by: 1)
    #expect(first.values == [7] && second.values.isEmpty)
    clock.advance(by: 1)
    #expect(second.values == [7])
  }

  @Test func `The tolerance and the options reach the scheduler`() {
    let recording = RecordingScheduler(clock)
    source.delaySubscription(for: 5, tolerance: 0.5, scheduler: recording).subscribe(Recorder<Int, TestError>())
    #expect(recording.calls.contains(.scheduleAfter(5, tolerance: 0.5, options: nil)), "\(recording.calls)")
  }

  @Test func `A cancel and the time on two threads leave one of two outcomes`() {
    for _ in 0..<200 {
      let clock = VirtualTimeScheduler()
      let subject = PassthroughSubject<Int, Never>()
      let recorder = Recorder<Int, Never>()
      subject.delaySubscription(for: 1, scheduler: clock).subscribe(recorder)
      onThreads([{ clock.advance(by: 1) }, { recorder.cancel() }])
      subject.send(1)
      #expect(recorder.values.isEmpty && recorder.completions.isEmpty)
      #expect(clock.pending.isEmpty)
    }
  }

  @Test func `A negative interval traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Just(1).delaySubscription(for: -1, scheduler: VirtualTimeScheduler())
    }
    expectMessage(result, "delaySubscription(for:) takes an interval of 0 or more, but was given -1s. Clamp the value")
  }
}
