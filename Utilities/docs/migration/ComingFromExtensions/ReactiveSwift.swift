// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators
import PenstockTesting

enum ComingFromReactiveSwift {
  // ReactiveSwift | `Signal`, `SignalProducer`
  static func signals() {
    let signal = PassthroughSubject<Int, Never>()
    signal.send(1)
    let observed = signal.received()
    signal.send(2)
    var starts = 0
    let producer = Deferred { () -> Just<Int> in
      starts += 1
      return Just(starts)
    }
    expect(observed.log, ["2"])
    expect(producer.received().log, ["1", "finished"])
    expect(producer.received().log, ["2", "finished"])
  }

  // ReactiveSwift | `Property`, `MutableProperty`
  //
  // Differs: neither finishes when it is released.
  static func properties() {
    var (property, relay) = (CurrentValueSubject<Int, Never>(1), CurrentValueRelay(1))
    let (first, second) = (property.received(), relay.received())
    property.value += 1
    relay.value += 1
    expect([property.value, relay.value], [2, 2])
    (property, relay) = (CurrentValueSubject(9), CurrentValueRelay(9))
    expect(first.log, ["1", "2"])
    expect(second.log, ["1", "2"])
  }

  // ReactiveSwift | `flatMap(.latest)`, `.merge`, `.concat`, `.concurrent(limit:)`, `.race`
  //
  // Differs: `concatMap` and a limit request one value at a time, so a buffer has to store for them.
  static func flattening() {
    let streams = [PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()]
    let indices = PassthroughSubject<Int, Never>()
    let kept = indices.buffer(size: 9, prefetch: .byRequest, whenFull: .dropOldest)
    let all = [
      indices.flatMapLatest { streams[$0] }.received(), indices.flatMap { streams[$0] }.received(),
      streams.amb().received(),
    ]
    let dropping = [
      indices.concatMap { streams[$0] }.received(), indices.flatMap(maxPublishers: .max(1)) { streams[$0] }.received(),
    ]
    let keeping = [
      kept.concatMap { streams[$0] }.received(), kept.flatMap(maxPublishers: .max(1)) { streams[$0] }.received(),
    ]
    for index in 0..<2 { indices.send(index) }
    streams[1].send(1)
    streams[0].send(0)
    streams[0].send(completion: .finished)
    streams[1].send(2)
    expect(all.map(\.log), [["1", "2"], ["1", "0", "2"], ["1", "2"]])
    expect(dropping.map(\.log), [["0"], ["0"]])
    expect(keeping.map(\.log), [["0", "2"], ["0", "2"]])
  }

  // ReactiveSwift | `combineLatest`, `zip`, `merge`, `concat`
  static func combining() {
    let (one, two) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let all = [
      one.combineLatest(two).received(), one.zip(two).received(), one.merge(with: two).received(),
      one.append(two).received(), [one, two].concat().received(),
    ]
    one.send(1)
    two.send(2)
    one.send(completion: .finished)
    two.send(3)
    expect(
      all.map(\.log), [["(1, 2)", "(1, 3)"], ["(1, 2)", "finished"], ["1", "2", "3"], ["1", "3"], ["1", "3"]])
  }

  // ReactiveSwift | `sample(with:)`, `sample(on:)`, `withLatest(from:)`
  //
  // Differs: `sample(_:)` publishes a value once, and the sampler ends the stream.
  static func sampling() {
    let (numbers, sampler) = (PassthroughSubject<Int, Never>(), PassthroughSubject<String, Never>())
    let with = sampler.withLatestFrom(numbers) { ($1, $0) }.received()
    let (on, once) = (sampler.withLatestFrom(numbers).received(), numbers.sample(sampler).received())
    let latest = numbers.withLatestFrom(sampler) { ($0, $1) }.received()
    sampler.send("early")
    numbers.send(1)
    sampler.send("a")
    sampler.send("b")
    sampler.send(completion: .finished)
    expect(with.log, [#"(1, "a")"#, #"(1, "b")"#, "finished"])
    expect(on.log, ["1", "1", "finished"])
    expect(once.log, ["1", "finished"])
    expect(latest.log, [#"(1, "early")"#])
  }

  // ReactiveSwift | `skipRepeats`, `uniqueValues`, `combinePrevious`, `collect`, `take(last:)`
  static func filtering() {
    let numbers = [1, 1, 2, 1].publisher
    expect(numbers.removeDuplicates().received().log, ["1", "2", "1", "finished"])
    expect(numbers.removeAllDuplicates().received().log, ["1", "2", "finished"])
    expect([1, 2].publisher.combinePrevious(0).received().log, ["(0, 1)", "(1, 2)", "finished"])
    expect([1, 2].publisher.pairwise().received().log, ["(1, 2)", "finished"])
    expect(numbers.collect().received().log, ["[1, 1, 2, 1]", "finished"])
    expect(numbers.takeLast(2).received().log, ["2", "1", "finished"])
  }

  // ReactiveSwift | `negate`, `and`, `or`, `all`, `any`
  static func logic() {
    let (yes, no) = (Just(true), Just(false))
    expect(yes.not().received().log, ["false", "finished"])
    expect(yes.and(no).received().log, ["false", "finished"])
    expect(yes.or(no).received().log, ["true", "finished"])
    expect([yes, no].combineLatest().map { $0.allSatisfy { $0 } }.received().log, ["false", "finished"])
    expect([yes, no].combineLatest().map { $0.contains(true) }.received().log, ["true", "finished"])
  }

  // ReactiveSwift | `then`, `promoteValue`, `promoteError`
  static func promoting() {
    expect([1, 2].publisher.andThen(Just("x")).received().log, ["x", "finished"])
    expect(Empty<Never, Never>().setOutputType(to: Int.self).append(1).received().log, ["1", "finished"])
    let failing = Just(1).setFailureType(to: Trouble.self).append(Fail(error: .offline))
    expect(failing.received().log, ["1", "failure(offline)"])
  }

  // ReactiveSwift | `retry(upTo:interval:on:)`, `repeat`, `throttle(while:on:)`
  static func repeating() {
    var attempts = 0
    let server = Deferred { () -> Fail<Int, Trouble> in
      attempts += 1
      return Fail(error: .offline)
    }
    let scheduler = VirtualTimeScheduler()
    let retried = server.retry(2, delay: 3, scheduler: scheduler).received()
    expect(attempts, 1)
    scheduler.advance(by: 3)
    expect(attempts, 2)
    scheduler.advance(by: 3)
    expect(attempts, 3)
    expect(retried.log, ["failure(offline)"])
    expect([1, 2].publisher.repeat(2).received().log, ["1", "2", "1", "2", "finished"])
    let (numbers, isBusy) = (PassthroughSubject<Int, Never>(), CurrentValueSubject<Bool, Never>(true))
    let throttled = numbers.throttle(while: isBusy, on: scheduler).received()
    scheduler.advance()
    numbers.send(1)
    numbers.send(2)
    isBusy.value = false
    scheduler.advance()
    expect(throttled.log, ["2"])
  }

  // ReactiveSwift | `materialize`, `materializeResults`, `dematerialize`
  //
  // Differs: an event has two cases.
  static func materialize() {
    let numbers = Fail<Int, Trouble>(error: .offline).prepend(1)
    let cases = numbers.materialize().map { event in
      switch event {
      case .value: "value"
      case .completion: "completion"
      }
    }
    expect(cases.received().log, ["value", "completion", "finished"])
    expect(numbers.materialize().dematerialize().received().log, ["1", "failure(offline)"])
    expect(numbers.mapToResult().map { (try? $0.get()) ?? 0 }.received().log, ["1", "0", "finished"])
  }

  // ReactiveSwift | `take(until:)`, `skip(until:)`
  //
  // Differs: a trigger that finishes without a value does not end the first, and ends the second.
  static func until() {
    let (numbers, trigger) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Void, Never>())
    let (taken, skipped) = (numbers.prefix(untilOutputFrom: trigger), numbers.drop(untilOutputFrom: trigger).received())
    let (first, ignoring) = (taken.received(), numbers.prefix(untilOutputFrom: Empty<Void, Never>()).received())
    numbers.send(1)
    trigger.send()
    numbers.send(2)
    expect(first.log, ["1", "finished"])
    expect(ignoring.log, ["1", "2"])
    expect(numbers.drop(untilOutputFrom: Empty<Void, Never>()).received().log, ["finished"])
    expect(skipped.log, ["2"])
  }

  // ReactiveSwift | `take(during:)`
  //
  // Differs: the stream is cancelled.
  static func during() {
    final class Screen { var cancellable: Reception? }
    let numbers = PassthroughSubject<Int, Never>()
    var (screen, cancels) = (Optional(Screen()), 0)
    let reception = numbers.handleEvents(receiveCancel: { cancels += 1 }).received()
    screen?.cancellable = reception
    numbers.send(1)
    expect(cancels, 0)
    screen?.cancellable?.cancel()
    screen = nil
    numbers.send(2)
    expect(cancels, 1)
    expect(reception.log, ["1"])
    var lifetime: Lifetime? = Lifetime()
    let prefixed = numbers.prefix(untilDeinitOf: lifetime!).received()
    numbers.send(3)
    lifetime = nil
    expect(prefixed.log, ["3", "finished"])
  }

  // ReactiveSwift | `take(untilReplacement:)`
  static func untilReplacement() {
    let (old, new) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let replaced = old.prefix(untilOutputFrom: new).merge(with: new).received()
    for (number, subject) in [(1, old), (2, new), (3, old), (4, new)] { subject.send(number) }
    expect(replaced.log, ["1", "2", "4"])
  }

  // ReactiveSwift | `lazyMap`, `Action`
  static func actions() {
    let (taps, work) = (PassthroughSubject<Int, Never>(), PassthroughSubject<String, Never>())
    let activity = ActivityTracker()
    let results = taps.flatMapFirst { tap in work.first().map { "\(tap) \($0)" }.trackActivity(activity) }.received()
    taps.send(1)
    expect(activity.isActive, true)
    taps.send(2)
    work.send("done")
    taps.send(3)
    work.send("done")
    expect(results.log, ["1 done", "3 done"])
    expect(activity.isActive, false)
    var calls = 0
    let mapped = CurrentValueSubject<Int, Never>(1).map { number in
      calls += 1
      return number
    }
    expect(calls, 0)
    expect(mapped.received().log, ["1"])
    expect(calls, 1)
  }

  // ReactiveSwift | `on`, `logEvents`, `observe(on:)`
  static func observing() {
    final class Lines: TextOutputStream {
      var text = ""
      func write(_ string: String) { text += string }
    }
    var log: [Int] = []
    let (lines, scheduler) = (Lines(), VirtualTimeScheduler())
    let numbers = Just(1).handleEvents(receiveOutput: { log.append($0) }).print("n", to: lines).receive(on: scheduler)
    let received = numbers.received()
    expect(log, [1])
    expect(lines.text.contains("n: receive value: (1)"), true)
    expect(received.log, [])
    scheduler.advance()
    expect(received.log, ["1", "finished"])
  }
}
