// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockConcurrency
import PenstockOperators
import PenstockTesting

enum ComingFromRxSwiftTime {
  // RxSwift | `flatMap`, `flatMapLatest`, `flatMapFirst`, `concatMap`, `merge(maxConcurrent:)`
  //
  // Differs: `concatMap` and a limit request one value at a time, so a buffer has to store for them.
  static func flattening() {
    let (taps, answers) = (PassthroughSubject<Int, Never>(), (0..<3).map { _ in PassthroughSubject<Int, Never>() })
    let kept = taps.buffer(size: 9, prefetch: .byRequest, whenFull: .dropOldest)
    let all = [
      taps.flatMap { answers[$0] }.received(), taps.flatMapLatest { answers[$0] }.received(),
      taps.flatMapFirst { answers[$0] }.received(),
    ]
    let (concat, merge) = (taps.concatMap { answers[$0] }, taps.flatMap(maxPublishers: .max(2)) { answers[$0] })
    let dropping = [concat.received(), merge.received()]
    let keeping = [
      kept.concatMap { answers[$0] }.received(), kept.flatMap(maxPublishers: .max(2)) { answers[$0] }.received(),
    ]
    for tap in 0..<3 { taps.send(tap) }
    for answer in 0..<3 { answers[answer].send(answer) }
    answers[0].send(completion: .finished)
    for answer in 1..<3 { answers[answer].send(answer * 10) }
    expect(all.map(\.log), [["0", "1", "2", "10", "20"], ["2", "20"], ["0"]])
    expect(dropping.map(\.log), [["0"], ["0", "1", "10"]])
    expect(keeping.map(\.log), [["0", "10"], ["0", "1", "10", "20"]])
  }

  // RxSwift | `catch`, `retry`, `retry(when:)`, `materialize`, `timeout`
  //
  // Differs: a number of retries, not of attempts; a timeout finishes.
  static func errors() {
    var attempts = 0
    let server = Deferred { () -> Fail<Int, Trouble> in
      attempts += 1
      return Fail(error: .offline)
    }
    expect(server.catch { _ in Just(7) }.received().log, ["7", "finished"])
    attempts = 0
    expect(server.retry(2).received().log, ["failure(offline)"])
    expect(attempts, 3)
    attempts = 0
    expect(server.retryWhen { $0.prefix(2).map { _ in } }.materialize().count().received().log, ["1", "finished"])
    expect(attempts, 3)
    let (scheduler, silent) = (VirtualTimeScheduler(), PassthroughSubject<Int, Trouble>())
    let ending = silent.timeout(5, scheduler: scheduler).received()
    let failing = silent.timeout(5, scheduler: scheduler, customError: { .denied }).received()
    scheduler.advance(by: 10)
    expect(ending.log, ["finished"])
    expect(failing.log, ["failure(denied)"])
  }

  // RxSwift | `debounce`, `throttle`, `sample`, `delay`, `buffer(timeSpan:count:)`
  //
  // Differs: debounce drops at the end, delay delays a failure, and a time without values makes no empty array.
  static func timing() {
    let (scheduler, numbers) = (VirtualTimeScheduler(), PassthroughSubject<Int, Never>())
    let tick = PassthroughSubject<Void, Never>()
    let all = [
      numbers.debounce(for: 2, scheduler: scheduler).received(),
      numbers.throttle(for: 2, scheduler: scheduler, latest: true).received(),
      numbers.sample(tick).received(), numbers.delay(for: 1, scheduler: scheduler).received(),
      numbers.collect(.byTimeOrCount(scheduler, 10, 2)).received(),
    ]
    scheduler.advance(by: 11)
    numbers.send(1)
    scheduler.advance()
    for number in 2...3 { numbers.send(number) }
    for _ in 1...2 { tick.send() }
    scheduler.advance(by: 12)
    expect(
      all.map(\.log), [["3"], ["1", "3"], ["3"], ["1", "2", "3"], ["[1, 2]", "[3]"]])
    let (dropping, failing) = (
      Just(1).debounce(for: 2, scheduler: scheduler).received(),
      Fail<Int, Trouble>(error: .offline).delay(for: 2, scheduler: scheduler).received()
    )
    scheduler.advance(by: 1)
    expect([dropping.log, failing.log], [["finished"], []])
    scheduler.advance(by: 1)
    expect([dropping.log, failing.log], [["finished"], ["failure(offline)"]])
  }

  // RxSwift | `observe(on:)`, `subscribe(on:)`
  static func schedulers() {
    let scheduler = VirtualTimeScheduler()
    let received = Just(1).receive(on: scheduler).received()
    let subscribed = Just(2).subscribe(on: scheduler).received()
    expect(received.log + subscribed.log, [])
    scheduler.advance()
    expect(received.log, ["1", "finished"])
    expect(subscribed.log, ["2", "finished"])
  }

  // RxSwift | `share(replay:scope:)`, `replay`, `multicast`, `publish`
  //
  // Differs: after the end of upstream nobody subscribes to it again.
  static func sharing() {
    var subscriptions = 0
    let source = PassthroughSubject<Int, Never>()
    let counted = source.handleEvents(receiveSubscription: { _ in subscriptions += 1 })
    let (plain, connected, forever) = (counted.share(), counted.share(replay: 1), counted.shareReplay(capacity: 1))
    let (multicast, published) = (counted.multicast { PassthroughSubject() }, counted.makeConnectable())
    let replaying = [connected.received(), forever.received()]
    let first = replaying + [plain.received(), multicast.received(), published.received()]
    let connections = [multicast.connect(), published.connect()]
    expect(subscriptions, 5)
    source.send(1)
    expect(first.map(\.log), Array(repeating: ["1"], count: 5))
    expect([plain.received().log, connected.received().log, forever.received().log], [[], ["1"], ["1"]])
    source.send(completion: .finished)
    expect(connected.received().log, ["1", "finished"])
    expect(forever.received().log, ["1", "finished"])
    expect(subscriptions, 5)
    for connection in connections { connection.cancel() }
  }

  // RxSwift | `withUnretained`, `bind(to:)`
  static func binding() {
    final class Label { var text = "" }
    let (texts, label) = (PassthroughSubject<String, Never>(), Label())
    let (relay, subscribed) = (CurrentValueRelay(""), texts.withUnretained(label).map { $0.text + $1 }.received())
    let bindings = [texts.assign(to: \.text, on: label, ownership: .weak), texts.subscribe(relay)]
    texts.send("a")
    expect(label.text + relay.value, "aa")
    expect(subscribed.log.count, 1)
    _ = bindings
  }

  // RxSwift | `groupBy`, `window`, `delaySubscription`
  static func splitting() {
    let (scheduler, numbers) = (VirtualTimeScheduler(), PassthroughSubject<Int, Never>())
    let groups = numbers.grouped { $0 % 2 }.flatMap { group in group.map { "\(group.key): \($0)" } }.received()
    let windows = numbers.window(for: 5, scheduler: scheduler).flatMap { $0.collect() }.received()
    let delayed = numbers.delaySubscription(for: 3, scheduler: scheduler).received()
    numbers.send(1)
    scheduler.advance(by: 6)
    numbers.send(2)
    scheduler.advance(by: 6)
    expect(groups.log, ["1: 1", "0: 2"])
    expect(windows.log, ["[1]", "[2]"])
    expect(delayed.log, ["2"])
  }

  // RxSwift | `Single`, `Maybe`, `Completable`, `Infallible`
  //
  // Differs: a future starts at once, and only once.
  static func traits() {
    let single = Future<Int, Trouble> { $0(.success(1)) }
    expect(single.received().log, ["1", "finished"])
    expect(single.received().log, ["1", "finished"])
    let infallible: AnyPublisher<Int, Never> = single.replaceError(with: 0).eraseToAnyPublisher()
    expect(infallible.received().log, ["1", "finished"])
    var starts = 0
    let counted = {
      Future<Int, Never> { promise in
        starts += 1
        promise(.success(starts))
      }
    }
    let (eager, lazy) = (counted(), Deferred { counted() })
    expect(starts, 1)
    expect([eager.received().log[0], eager.received().log[0]], ["1", "1"])
    expect([lazy.received().log[0], lazy.received().log[0]], ["2", "3"])
    let completable: AnyPublisher<Never, Trouble> = single.ignoreOutput().eraseToAnyPublisher()
    expect(completable.received().log, ["finished"])
  }

  // RxSwift | `Driver`, `Signal` (RxCocoa)
  static func driver() async {
    let (stream, end) = AsyncStream<Int>.makeStream()
    let cancellable = [1, 2].publisher.sink(on: .shared) { _ in
      end.finish()
    } receiveValue: { number in
      MainActor.assertIsolated()
      end.yield(number)
    }
    var received: [Int] = []
    for await number in stream { received.append(number) }
    expect(received, [1, 2])
    cancellable.cancel()
  }

  // RxSwift | `TestScheduler` (RxTest)
  static func testScheduler() {
    let scheduler = VirtualTimeScheduler()
    let delayed = Just(1).delay(for: 10, scheduler: scheduler).map { "\($0) at \(scheduler.now)" }.received()
    scheduler.advance(by: 9)
    expect(delayed.log, [])
    scheduler.advance(by: 1)
    expect(delayed.log, ["1 at 10s", "finished"])
  }
}
