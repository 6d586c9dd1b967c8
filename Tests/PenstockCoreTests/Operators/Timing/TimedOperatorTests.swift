// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import PenstockTesting
import TestSupport
import Testing

/// The common rules of all timed operators.
@Suite struct TimedOperatorTests {
  enum End: CaseIterable {
    case finish, fail, cancel

    func act(on pipeline: ManualPipeline) {
      switch self {
      case .finish: pipeline.finish()
      case .fail: pipeline.fail()
      case .cancel: pipeline.cancel()
      }
    }

    var shown: [String] {
      switch self {
      case .finish: ["finished"]
      case .fail: ["failure(oops)"]
      case .cancel: []
      }
    }
  }

  @Test(arguments: TimedCase.all)
  func `Its texts and its identity, as a subscriber and as a subscription`(_ timed: TimedCase) {
    let (pipeline, clock) = timed.pipeline()
    let shown = timed.spec(clock).shown
    #expect(pipeline.events == ["subscription \(shown.description)"])
    #expect(Shown(of: pipeline.subscriber) == shown)
    #expect(Shown(of: pipeline.received[0]) == shown)
    #expect(pipeline.subscriber.combineIdentifier == pipeline.received[0].combineIdentifier)
    #expect(pipeline.subscriber.combineIdentifier != pipeline.subscription.combineIdentifier)
  }

  @Test(arguments: TimedCase.all)
  func `Values come out in order, at their time, and upstream is returned no demand`(_ timed: TimedCase) {
    let (pipeline, clock) = timed.pipeline()
    let answer: Subscribers.Demand = timed.name == "CollectByTime" ? .max(1) : .none
    #expect(pipeline.send(2) == answer)
    #expect(pipeline.values.isEmpty == timed.waits)
    clock.base.advance(by: 10)
    #expect(pipeline.send(3) == answer)
    clock.base.advance(by: 10)
    #expect(pipeline.values == timed.outputs)
  }

  @Test(arguments: TimedCase.all, End.allCases)
  func `An end is the last thing to come, and upstream is not cancelled unless by a cancel`(
    _ timed: TimedCase, _ end: End
  ) {
    let (pipeline, clock) = timed.pipeline(demand: nil)
    end.act(on: pipeline)
    if timed.waits { #expect(pipeline.ends.isEmpty) }
    clock.base.advance(by: 10)
    #expect(pipeline.ends == end.shown)
    pipeline.request(.max(1))
    pipeline.cancel()
    pipeline.cancel()
    #expect(pipeline.subscription.calls == timed.asks + (end == .cancel ? [.cancelled] : []))
    #expect(clock.base.pending.isEmpty)
  }

  @Test(arguments: TimedCase.all, End.allCases)
  func `After an end nothing counts any more`(_ timed: TimedCase, _ end: End) {
    let (pipeline, clock) = timed.pipeline()
    end.act(on: pipeline)
    #expect(pipeline.send(2) == .none)
    pipeline.finish()
    pipeline.fail()
    let late = ManualSubscription()
    pipeline.subscribe(late)
    clock.base.advance(by: 10)
    #expect(late.calls == [.cancelled])
    #expect(pipeline.values.isEmpty)
    #expect(pipeline.ends == end.shown)
    #expect(pipeline.received.count == 1)
  }

  @Test(arguments: TimedCase.all.filter(\.waits))
  func `A cancel drops what has been scheduled, and leaves nothing on the scheduler but blocks that do nothing`(
    _ timed: TimedCase
  ) {
    let (pipeline, clock) = timed.pipeline()
    pipeline.send(2)
    pipeline.send(3)
    pipeline.cancel()
    #expect(pipeline.subscription.cancellations == 1)
    clock.base.advance(by: 10)
    #expect(pipeline.events.count == 1)
    #expect(pipeline.subscription.cancellations == 1)
    #expect(clock.base.pending.isEmpty)
  }

  @Test(arguments: TimedCase.all)
  func `A cancel during a delivery is the end`(_ timed: TimedCase) {
    let (pipeline, clock) = timed.pipeline()
    pipeline.onValue = { [unowned pipeline] in
      pipeline.cancel()
      return .max(1)
    }
    for _ in 1...3 {
      pipeline.send(2)
      clock.base.advance(by: 10)
    }
    pipeline.finish()
    clock.base.advance(by: 10)
    #expect(pipeline.values.count == 1)
    #expect(pipeline.ends.isEmpty)
    #expect(pipeline.subscription.cancellations == 1)
    #expect(pipeline.subscription.requests.count <= 1)
    #expect(clock.base.pending.isEmpty)
  }

  @Test(arguments: TimedCase.all)
  func `A second subscription is cancelled, the first stays`(_ timed: TimedCase) {
    let (pipeline, clock) = timed.pipeline()
    let second = ManualSubscription()
    pipeline.subscribe(second)
    pipeline.send(2)
    clock.base.advance(by: 10)
    #expect(second.calls == [.cancelled])
    #expect(pipeline.received.count == 1)
    #expect(pipeline.values == Array(timed.outputs.prefix(1)))
  }

  @Test(arguments: TimedCase.all)
  func `Values, completions and requests before the subscription are ignored`(_ timed: TimedCase) {
    let (pipeline, clock) = timed.pipeline(subscribed: false, demand: nil)
    _ = clock.takeCalls()
    #expect(pipeline.send(2) == .none)
    pipeline.finish()
    pipeline.fail()
    pipeline.ownSubscription?.request(.max(3))
    clock.base.advance(by: 10)
    #expect(pipeline.events.isEmpty)
    #expect(clock.calls.isEmpty)
    pipeline.subscribe()
    #expect(pipeline.received.count == 1)
    #expect(pipeline.subscription.calls == timed.asks)
  }

  @Test(arguments: TimedCase.all)
  func `A cancel before the subscription`(_ timed: TimedCase) {
    let (pipeline, _) = timed.pipeline(subscribed: false, demand: nil)
    pipeline.ownSubscription?.cancel()
    pipeline.subscribe()
    #expect(pipeline.subscription.calls == (timed.remembersEarlyCancel ? [.cancelled] : timed.asks))
    #expect(pipeline.received.count == (timed.remembersEarlyCancel ? 0 : 1))
  }

  @Test(arguments: TimedCase.all)
  func `A cancel during the introduction is the end`(_ timed: TimedCase) {
    let clock = testClock()
    let subject = PassthroughSubject<Int, TestError>()
    var events = 0
    let cancelling = AnySubscriber<Int, TestError>(
      receiveSubscription: {
        $0.request(.unlimited)
        $0.cancel()
      },
      receiveValue: { _ in
        events += 1
        return .none
      }, receiveCompletion: { _ in events += 1 })
    switch timed.name {
    case "ReceiveOn": subject.receive(on: clock).subscribe(cancelling)
    case "Delay": subject.delay(for: 3, scheduler: clock).subscribe(cancelling)
    case "Debounce": subject.debounce(for: 3, scheduler: clock).subscribe(cancelling)
    case "Throttle": subject.throttle(for: 3, scheduler: clock, latest: true).subscribe(cancelling)
    default: subject.timeout(3, scheduler: clock).subscribe(cancelling)
    }
    subject.send(1)
    subject.send(completion: .finished)
    clock.base.advance(by: 10)
    #expect(events == 0)
    #expect(clock.base.pending.isEmpty)
  }

  @Test(arguments: TimedCase.all.filter(\.forwards))
  func `Requests go up at once and unchanged, and what a delivery returns goes up behind it`(_ timed: TimedCase) {
    let (pipeline, clock) = timed.pipeline(demand: .max(2))
    pipeline.request(.none)
    pipeline.onValue = { [unowned pipeline] in
      #expect(pipeline.subscription.calls.count == 2 || pipeline.subscription.calls.count == 4)
      pipeline.request(.max(5))
      return .max(7)
    }
    pipeline.send(2)
    clock.base.advance(by: 5)
    #expect(
      pipeline.subscription.requests == [.max(2), .none, .max(5), .max(7)])
  }

  @Test(arguments: TimedCase.all.filter { !$0.forwards && !$0.asks.isEmpty })
  func `Requests only count where upstream has been asked for everything`(_ timed: TimedCase) {
    let (pipeline, clock) = timed.pipeline(demand: nil)
    pipeline.request(.none)
    pipeline.send(1)
    clock.base.advance(by: 10)
    #expect(pipeline.values.isEmpty)
    pipeline.request(.max(1))
    for value in 2...3 {
      pipeline.send(value)
      clock.base.advance(by: 10)
    }
    #expect(pipeline.values == ["2"])
    pipeline.onValue = { .max(1) }
    pipeline.request(.max(1))
    for value in 4...6 {
      pipeline.send(value)
      clock.base.advance(by: 10)
    }
    #expect(pipeline.values == ["2", "4", "5", "6"])
    #expect(pipeline.subscription.calls == [.requested(.unlimited)])
  }

  @Test(arguments: TimedCase.all, End.allCases)
  func `Nothing is left when the stream is over`(_ timed: TimedCase, _ end: End) {
    var graveyard = Graveyard()
    let clock = testClock()
    do {
      let pipeline = graveyard.watch(timed.spec(clock).pipeline(), "pipeline")
      _ = graveyard.watch(pipeline.subscription, "upstream's subscription")
      _ = graveyard.watch(pipeline.received[0] as AnyObject, "operator")
      _ = graveyard.watch(pipeline.downstream, "downstream")
      pipeline.send(2)
      clock.base.advance(by: 4)
      pipeline.send(3)
      end.act(on: pipeline)
      clock.base.advance(by: 10)
      pipeline.release()
    }
    #expect(graveyard.survivors.isEmpty)
    #expect(clock.base.pending.isEmpty)
  }

  @Test(
    arguments: TimedCase.all.filter { ["ReceiveOn", "Delay", "Debounce", "Throttle", "Timeout"].contains($0.name) })
  func `What has been scheduled keeps the chain, and is delivered when everything else has released it`(
    _ timed: TimedCase
  ) {
    var graveyard = Graveyard()
    let (pipeline, clock) = timed.pipeline()
    do { _ = graveyard.watch(pipeline.received[0] as AnyObject, "operator") }
    pipeline.send(2)
    pipeline.release()
    #expect(graveyard.survivors == ["operator"])
    clock.base.advance(by: 10)
    #expect(pipeline.values == ["2"])
    // The timeout has not expired, and its timer keeps the operator until then.
    clock.base.advance(by: 2_000)
    #expect(graveyard.survivors.isEmpty)
    #expect(clock.base.pending.isEmpty)
  }

  @Test(arguments: TimedCase.all)
  func `During a delivery another thread may request and cancel`(_ timed: TimedCase) {
    let (pipeline, clock) = timed.pipeline()
    let box = UncheckedBox(pipeline)
    pipeline.onValue = {
      elsewhere {
        box.value.request(.max(1))
        _ = String(describing: box.value.received[0])
        _ = Mirror(reflecting: box.value.received[0]).children.count
        box.value.cancel()
      }
      return .none
    }
    for value in 1...3 {
      pipeline.send(value)
      clock.base.advance(by: 10)
    }
    pipeline.finish()
    clock.base.advance(by: 10)
    #expect(pipeline.values.count == 1)
    #expect(pipeline.ends.isEmpty)
    #expect(clock.base.pending.isEmpty)
  }
}
