// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockCore
import PenstockFoundation
import TestSupport
import Testing

/// Timers as publishers, on a run loop of their own.
@Suite struct TimerPublisherTests {
  private let loop = LoopThread()

  private func publisher(every interval: TimeInterval = 0.002) -> Timer.TimerPublisher {
    Timer.publish(every: interval, on: loop.runLoop, in: .default)
  }

  /// A subscriber that opens a gate at each value.
  private func listener(demand: Subscribers.Demand? = .unlimited) -> (recorder: Recorder<Date, Never>, tick: Gate) {
    let recorder = Recorder<Date, Never>(demand: demand)
    let tick = Gate()
    recorder.onValue = { _ in
      tick.open()
      return .none
    }
    return (recorder, tick)
  }

  @Test func `The factory keeps all but the tolerance, the initialiser that as well`() {
    defer { loop.stop() }
    let made = Timer.publish(every: 3, tolerance: 1, on: loop.runLoop, in: .common)
    #expect(made.interval == 3)
    #expect(made.tolerance == nil)
    #expect(made.runLoop === loop.runLoop)
    #expect(made.mode == RunLoop.Mode.common)
    #expect(made.options.map { _ in true } == nil)
    let own = Timer.TimerPublisher(interval: 3, tolerance: 1, runLoop: loop.runLoop, mode: .default)
    #expect(own.tolerance == 1)
  }

  @Test func `Nothing ticks before it is connected, and the first tick is an interval after that`() {
    let publisher = publisher(every: 0.02)
    let (recorder, tick) = listener()
    publisher.subscribe(recorder)
    let pause = Gate()
    loop.runLoop.schedule(after: loop.runLoop.now.advanced(by: .milliseconds(30))) { pause.open() }
    pause.wait()
    let connected = Date()
    let connection = publisher.connect()
    // Foundation reads two clocks for a timer, one after the other: the time in between makes it early.
    let slack = Date().timeIntervalSince(connected) + 0.001
    tick.wait()
    tick.wait()
    connection.cancel()
    loop.stop()
    #expect(recorder.values.count >= 2)
    #expect(recorder.values.allSatisfy { $0 >= connected.addingTimeInterval(0.02 - slack) && $0 <= Date() })
    #expect(recorder.values == recorder.values.sorted())
    #expect(recorder.completions.isEmpty)
  }

  @Test func `A timer of the common modes ticks in the default mode`() {
    let (recorder, tick) = listener()
    let publisher = Timer.publish(every: 0.002, on: loop.runLoop, in: .common)
    publisher.subscribe(recorder)
    let connection = publisher.connect()
    for _ in 0..<3 { tick.wait() }
    connection.cancel()
    loop.stop()
    #expect(recorder.values.count >= 3)
  }

  @Test func `It ticks on the run loop's thread`() {
    let (recorder, done) = (Recorder<Date, Never>(), Gate())
    let isThere = Locked(false)
    recorder.onValue = { [runLoop = loop.runLoop] _ in
      isThere.change { $0 = RunLoop.current === runLoop }
      done.open()
      return .none
    }
    let publisher = publisher()
    publisher.subscribe(recorder)
    let connection = publisher.connect()
    done.wait()
    connection.cancel()
    loop.stop()
    #expect(isThere.value)
  }

  @Test func `It ticks for as long as autoconnect has subscribers`() {
    let ticks = Locked(0)
    let (done, pause) = (Gate(), Gate())
    let cancellable = publisher().autoconnect().sink { _ in
      if ticks.change({
        $0 += 1; return $0
      }) == 3 {
        done.open()
      }
    }
    done.wait()
    cancellable.cancel()
    let seen = ticks.value
    loop.runLoop.schedule(after: loop.runLoop.now.advanced(by: .milliseconds(10))) { pause.open() }
    pause.wait()
    loop.stop()
    #expect(ticks.value <= seen + 1)
  }

  @Test func `It ticks again for who comes after all have gone`() {
    let shared = publisher().autoconnect()
    for _ in 0..<2 {
      let (recorder, tick) = listener()
      shared.subscribe(recorder)
      for _ in 0..<2 { tick.wait() }
      recorder.cancel()
    }
    loop.stop()
  }

  @Test func `Ticks are dropped for a subscriber that has not asked, and for that one only`() {
    let publisher = publisher()
    let (patient, _) = listener(demand: nil)
    let (few, _) = listener(demand: .max(2))
    let (all, tick) = listener()
    let zero = listener(demand: .some(.none)).recorder
    for recorder in [patient, few, all, zero] { publisher.subscribe(recorder) }
    let connection = publisher.connect()
    for _ in 0..<4 { tick.wait() }
    connection.cancel()
    loop.stop()
    #expect(patient.values.isEmpty)
    #expect(zero.values.isEmpty)
    #expect(few.values.count == 2)
    #expect(all.values.count >= 4)
  }

  @Test func `What a delivery returns is added to the demand`() {
    let publisher = publisher()
    let few = Recorder<Date, Never>(demand: .max(1))
    few.onValue = { [few = Locked(few)] _ in few.value.values.count == 1 ? .max(2) : .none }
    let (all, tick) = listener()
    publisher.subscribe(few)
    publisher.subscribe(all)
    let connection = publisher.connect()
    for _ in 0..<5 { tick.wait() }
    connection.cancel()
    loop.stop()
    #expect(few.values.count == 3)
    few.onValue = nil
  }

  @Test func `Two connections tick twice, and cancelling either lets all subscribers go`() {
    let publisher = publisher(every: 0.01)
    let (dates, ends, close) = (Locked<[Date]>([]), Locked(0), Gate())
    let first = publisher.sink(
      receiveCompletion: { _ in ends.change { $0 += 1 } },
      receiveValue: { date in
        let last = dates.change { dates in
          defer { dates.append(date) }
          return dates.last
        }
        if let last, date.timeIntervalSince(last) < 0.009 { close.open() }
      })
    let connections = [publisher.connect(), publisher.connect()]
    // Whenever the two were created, their ticks are at most half an interval apart.
    close.wait()
    connections[1].cancel()
    let seen = dates.value.count
    // The other timer continues, for new subscribers.
    let (later, laterTick) = listener()
    publisher.subscribe(later)
    laterTick.wait()
    laterTick.wait()
    connections[1].cancel()
    laterTick.wait()
    connections[0].cancel()
    loop.stop()
    // One tick may have been in progress.
    #expect(dates.value.count <= seen + 1)
    #expect(ends.value == 0)
    first.cancel()
  }

  @Test func `A subscriber between the decision to cancel a connection and its cancel is kept`() throws {
    let publisher = publisher()
    let (first, firstTick) = listener()
    publisher.subscribe(first)
    let connection = try #require(publisher.connect() as? any ForewarnedCancellable)
    firstTick.wait()
    connection.forewarn()
    let (second, secondTick) = listener()
    publisher.subscribe(second)
    connection.cancel()
    let next = publisher.connect()
    for _ in 0..<3 { secondTick.wait() }
    next.cancel()
    loop.stop()
    #expect(second.values.count >= 3)
    #expect(first.completions.isEmpty)
  }

  @Test func `Cancelling a subscription ends that one only`() {
    let publisher = publisher()
    let (first, firstTick) = listener()
    let (second, secondTick) = listener()
    publisher.subscribe(first)
    publisher.subscribe(second)
    let connection = publisher.connect()
    firstTick.wait()
    first.cancel()
    first.request(.max(1))
    for _ in 0..<3 { secondTick.wait() }
    connection.cancel()
    loop.stop()
    // The connection may have been cancelled between the two, in the middle of a tick.
    #expect(first.values.count <= second.values.count + 1)
  }

  @Test func `Dropping a connection does not stop it`() {
    let publisher = publisher()
    let (recorder, tick) = listener()
    publisher.subscribe(recorder)
    _ = publisher.connect()
    for _ in 0..<3 { tick.wait() }
    recorder.cancel()
    loop.stop()
    #expect(recorder.values.count >= 3)
  }

  @Test func `A timer keeps its publisher, a subscription does not, and after the cancel nothing is left`() {
    var graveyard = Graveyard()
    let (recorder, tick) = listener()
    var connection: (any Cancellable)?
    do {
      let publisher = graveyard.watch(publisher(), "publisher")
      publisher.subscribe(recorder)
      connection = publisher.connect()
    }
    tick.wait()
    #expect(graveyard.survivors == ["publisher"])
    connection?.cancel()
    // A tick may be in progress, which keeps the publisher alive.
    loop.stop()
    #expect(graveyard.survivors.isEmpty)
    #expect(recorder.subscriptions.count == 1)
    withExtendedLifetime(recorder) {}
    do {
      let unconnected = graveyard.watch(publisher(), "unconnected")
      unconnected.subscribe(graveyard.watch(Recorder<Date, Never>(), "subscriber"))
    }
    #expect(graveyard.survivors.isEmpty)
  }

  @Test func `A subscriber is free once it has cancelled`() {
    var graveyard = Graveyard()
    let publisher = publisher()
    do {
      let recorder = graveyard.watch(Recorder<Date, Never>(), "subscriber")
      publisher.subscribe(recorder)
      recorder.cancel()
    }
    #expect(graveyard.survivors.isEmpty)
    loop.stop()
  }

  @Test func `Nothing is delivered while a subscriber is being introduced`() {
    let publisher = publisher()
    let (other, tick) = listener()
    publisher.subscribe(other)
    let connection = publisher.connect()
    let (recorder, recorderTick) = listener()
    let early = Locked(0)
    recorder.onSubscription = { [recorder = Unchecked(recorder)] subscription in
      subscription.request(.unlimited)
      for _ in 0..<3 { tick.wait() }
      early.change { $0 = recorder.value.values.count }
    }
    publisher.subscribe(recorder)
    recorderTick.wait()
    connection.cancel()
    loop.stop()
    #expect(early.value == 0)
  }

  @Test func `No lock is held while a subscriber receives`() {
    let publisher = publisher()
    let recorder = Recorder<Date, Never>()
    let done = Gate()
    recorder.onValue = { [recorder = Unchecked(recorder), publisher = Unchecked(publisher)] _ in
      onThreads([
        { recorder.value.request(.max(1)) },
        { publisher.value.subscribe(Recorder<Date, Never>()) },
        { recorder.value.cancel() },
      ])
      done.open()
      return .none
    }
    publisher.subscribe(recorder)
    let connection = publisher.connect()
    done.wait()
    connection.cancel()
    loop.stop()
    #expect(recorder.values.count == 1)
    recorder.onValue = nil
  }

  @Test func `Cancelling subscriptions and connections races with ticks`() {
    for _ in 0..<30 {
      let publisher = publisher(every: 0)
      let cancellables = Unchecked((0..<3).map { _ in publisher.sink { _ in } })
      let connection = Unchecked(publisher.connect())
      onThreads([
        { cancellables.value[0].cancel() },
        { cancellables.value[1].cancel() },
        { connection.value.cancel() },
      ])
    }
    loop.stop()
  }

  /// Apple's has none of its own, and shows the name of a hidden type.
  @Test func `The subscription is called Timer`() throws {
    defer { loop.stop() }
    let recorder = Recorder<Date, Never>()
    publisher().subscribe(recorder)
    let subscription = try #require(recorder.subscriptions.first)
    #expect("\(subscription)" == "Timer")
    #expect(Mirror(reflecting: subscription).children.map(\.label) == ["downstream", "demand"])
  }
}
