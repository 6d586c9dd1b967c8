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

    func act(on line: Line) {
      switch self {
      case .finish: line.finish()
      case .fail: line.fail()
      case .cancel: line.cancel()
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
    let (line, clock) = timed.line()
    let shown = timed.operatorCase(clock).shown
    #expect(line.events == ["subscription \(shown.description)"])
    #expect(Shown(of: line.subscriber) == shown)
    #expect(Shown(of: line.received[0]) == shown)
    #expect(line.subscriber.combineIdentifier == line.received[0].combineIdentifier)
    #expect(line.subscriber.combineIdentifier != line.subscription.combineIdentifier)
  }

  @Test(arguments: TimedCase.all)
  func `Values come out in order, at their time, and upstream is returned no demand`(_ timed: TimedCase) {
    let (line, clock) = timed.line()
    let answer: Subscribers.Demand = timed.name == "CollectByTime" ? .max(1) : .none
    #expect(line.send(2) == answer)
    #expect(line.values.isEmpty == timed.waits)
    clock.base.advance(by: 10)
    #expect(line.send(3) == answer)
    clock.base.advance(by: 10)
    #expect(line.values == timed.outputs)
  }

  @Test(arguments: TimedCase.all, End.allCases)
  func `An end is the last thing to come, and upstream is not cancelled unless by a cancel`(
    _ timed: TimedCase, _ end: End
  ) {
    let (line, clock) = timed.line(demand: nil)
    end.act(on: line)
    if timed.waits { #expect(line.ends.isEmpty) }
    clock.base.advance(by: 10)
    #expect(line.ends == end.shown)
    line.request(.max(1))
    line.cancel()
    line.cancel()
    #expect(line.subscription.calls == timed.asks + (end == .cancel ? [.cancelled] : []))
    #expect(clock.base.pending.isEmpty)
  }

  @Test(arguments: TimedCase.all, End.allCases)
  func `After an end nothing counts any more`(_ timed: TimedCase, _ end: End) {
    let (line, clock) = timed.line()
    end.act(on: line)
    #expect(line.send(2) == .none)
    line.finish()
    line.fail()
    let late = ManualSubscription()
    line.subscribe(late)
    clock.base.advance(by: 10)
    #expect(late.calls == [.cancelled])
    #expect(line.values.isEmpty)
    #expect(line.ends == end.shown)
    #expect(line.received.count == 1)
  }

  @Test(arguments: TimedCase.all.filter(\.waits))
  func `A cancel drops what has been scheduled, and leaves nothing on the scheduler but blocks that do nothing`(
    _ timed: TimedCase
  ) {
    let (line, clock) = timed.line()
    line.send(2)
    line.send(3)
    line.cancel()
    #expect(line.subscription.cancellations == 1)
    clock.base.advance(by: 10)
    #expect(line.events.count == 1)
    #expect(line.subscription.cancellations == 1)
    #expect(clock.base.pending.isEmpty)
  }

  @Test(arguments: TimedCase.all)
  func `A cancel during a delivery is the end`(_ timed: TimedCase) {
    let (line, clock) = timed.line()
    line.onValue = { [unowned line] in
      line.cancel()
      return .max(1)
    }
    for _ in 1...3 {
      line.send(2)
      clock.base.advance(by: 10)
    }
    line.finish()
    clock.base.advance(by: 10)
    #expect(line.values.count == 1)
    #expect(line.ends.isEmpty)
    #expect(line.subscription.cancellations == 1)
    #expect(line.subscription.requests.count <= 1)
    #expect(clock.base.pending.isEmpty)
  }

  @Test(arguments: TimedCase.all)
  func `A second subscription is cancelled, the first stays`(_ timed: TimedCase) {
    let (line, clock) = timed.line()
    let second = ManualSubscription()
    line.subscribe(second)
    line.send(2)
    clock.base.advance(by: 10)
    #expect(second.calls == [.cancelled])
    #expect(line.received.count == 1)
    #expect(line.values == Array(timed.outputs.prefix(1)))
  }

  @Test(arguments: TimedCase.all)
  func `Values, completions and requests before the subscription are ignored`(_ timed: TimedCase) {
    let (line, clock) = timed.line(subscribed: false, demand: nil)
    _ = clock.takeCalls()
    #expect(line.send(2) == .none)
    line.finish()
    line.fail()
    line.ownSubscription?.request(.max(3))
    clock.base.advance(by: 10)
    #expect(line.events.isEmpty)
    #expect(clock.calls.isEmpty)
    line.subscribe()
    #expect(line.received.count == 1)
    #expect(line.subscription.calls == timed.asks)
  }

  @Test(arguments: TimedCase.all)
  func `A cancel before the subscription`(_ timed: TimedCase) {
    let (line, _) = timed.line(subscribed: false, demand: nil)
    line.ownSubscription?.cancel()
    line.subscribe()
    #expect(line.subscription.calls == (timed.remembersEarlyCancel ? [.cancelled] : timed.asks))
    #expect(line.received.count == (timed.remembersEarlyCancel ? 0 : 1))
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
    let (line, clock) = timed.line(demand: .max(2))
    line.request(.none)
    line.onValue = { [unowned line] in
      #expect(line.subscription.calls.count == 2 || line.subscription.calls.count == 4)
      line.request(.max(5))
      return .max(7)
    }
    line.send(2)
    clock.base.advance(by: 5)
    #expect(
      line.subscription.requests == [.max(2), .none, .max(5), .max(7)])
  }

  @Test(arguments: TimedCase.all.filter { !$0.forwards && !$0.asks.isEmpty })
  func `Requests only count where upstream has been asked for everything`(_ timed: TimedCase) {
    let (line, clock) = timed.line(demand: nil)
    line.request(.none)
    line.send(1)
    clock.base.advance(by: 10)
    #expect(line.values.isEmpty)
    line.request(.max(1))
    for value in 2...3 {
      line.send(value)
      clock.base.advance(by: 10)
    }
    #expect(line.values == ["2"])
    line.onValue = { .max(1) }
    line.request(.max(1))
    for value in 4...6 {
      line.send(value)
      clock.base.advance(by: 10)
    }
    #expect(line.values == ["2", "4", "5", "6"])
    #expect(line.subscription.calls == [.requested(.unlimited)])
  }

  @Test(arguments: TimedCase.all, End.allCases)
  func `Nothing is left when the stream is over`(_ timed: TimedCase, _ end: End) {
    var graveyard = Graveyard()
    let clock = testClock()
    do {
      let line = graveyard.watch(timed.operatorCase(clock).line(), "line")
      _ = graveyard.watch(line.subscription, "upstream's subscription")
      _ = graveyard.watch(line.received[0] as AnyObject, "operator")
      _ = graveyard.watch(line.downstream, "downstream")
      line.send(2)
      clock.base.advance(by: 4)
      line.send(3)
      end.act(on: line)
      clock.base.advance(by: 10)
      line.release()
    }
    #expect(graveyard.survivors.isEmpty)
    #expect(clock.base.pending.isEmpty)
  }

  @Test(arguments: TimedCase.all.filter { ["ReceiveOn", "Delay", "Debounce", "Timeout"].contains($0.name) })
  func `What has been scheduled keeps the chain, and is delivered when everything else has released it`(
    _ timed: TimedCase
  ) {
    var graveyard = Graveyard()
    let (line, clock) = timed.line()
    do { _ = graveyard.watch(line.received[0] as AnyObject, "operator") }
    line.send(2)
    line.release()
    #expect(graveyard.survivors == ["operator"])
    clock.base.advance(by: 10)
    #expect(line.values == ["2"])
    // The timeout has not expired, and its timer keeps the operator until then.
    clock.base.advance(by: 2_000)
    #expect(graveyard.survivors.isEmpty)
    #expect(clock.base.pending.isEmpty)
  }

  @Test(arguments: TimedCase.all)
  func `During a delivery another thread may request and cancel`(_ timed: TimedCase) {
    let (line, clock) = timed.line()
    let box = UncheckedBox(line)
    line.onValue = {
      elsewhere {
        box.value.request(.max(1))
        _ = String(describing: box.value.received[0])
        _ = Mirror(reflecting: box.value.received[0]).children.count
        box.value.cancel()
      }
      return .none
    }
    for value in 1...3 {
      line.send(value)
      clock.base.advance(by: 10)
    }
    line.finish()
    clock.base.advance(by: 10)
    #expect(line.values.count == 1)
    #expect(line.ends.isEmpty)
    #expect(clock.base.pending.isEmpty)
  }
}
