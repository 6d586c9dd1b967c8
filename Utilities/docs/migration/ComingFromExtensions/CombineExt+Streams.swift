// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockConcurrency
import PenstockOperators
import PenstockTesting

enum ComingFromCombineExtStreams {
  // CombineExt | `share(replay:)`
  //
  // Differs: the completion waits for the values that a subscriber has not requested.
  static func shareReplay() {
    let subject = PassthroughSubject<Int, Never>()
    let (shared, kept) = (subject.share(replay: 3), subject.shareReplay(capacity: 3))
    let first = [shared.received(), kept.received()]
    for number in 1...4 { subject.send(number) }
    expect(shared.received().log, ["2", "3", "4"])
    expect(kept.received().log, ["2", "3", "4"])
    for subscriber in first { subscriber.cancel() }
    subject.send(5)
    expect(shared.received().log, [])
    expect(kept.received().log, ["3", "4", "5"])
    let asking = Asking<Int, Never>()
    kept.subscribe(asking)
    subject.send(completion: .finished)
    asking.request(.max(2))
    expect(asking.log, ["3", "4"])
    asking.request(.max(1))
    expect(asking.log, ["3", "4", "5", "finished"])
  }

  // CombineExt | `AnyPublisher.create`, `AnyPublisher { … }`, `Publishers.Create`
  //
  // Differs: the emitter's type, and when the completion comes.
  static func create() {
    var log: [String] = []
    var emitter: Publishers.Emitter<Int, Never>?
    let numbers = AnyPublisher<Int, Never>.create { subscriber in
      emitter = subscriber
      subscriber.send(1)
      return AnyCancellable { log.append("released") }
    }
    let subscriber = numbers.received()
    subscriber.cancel()
    emitter?.send(2)
    expect(subscriber.log, ["1"])
    expect(log, ["released"])
    let asking = Asking<Int, Never>()
    numbers.subscribe(asking)
    emitter?.send(completion: .finished)
    expect(asking.log, [])
    asking.request(.max(1))
    expect(asking.log, ["1", "finished"])
    let initialised = AnyPublisher<Int, Never> { subscriber in
      subscriber.send(1)
      return AnyCancellable {}
    }
    expect(initialised.received().log, ["1"])
  }

  // CombineExt | `AnyPublisher.create`, `AnyPublisher { … }`, `Publishers.Create`
  //
  // Differs: a request for no value stops the process.
  // Stops: request(.none)
  static func createAskedForNothing() {
    let asking = Asking<Int, Never>()
    AnyPublisher<Int, Never>.create { _ in AnyCancellable {} }.subscribe(asking)
    asking.request(.none)
  }

  // CombineExt | `CurrentValueRelay`, `PassthroughRelay`
  //
  // Differs: a relay does not finish when it is released, and the publisher subscribes it.
  static func relays() {
    var (level, taps) = (CurrentValueRelay("a"), PassthroughRelay<String>())
    let (levels, tapped) = (level.received(), taps.received())
    level.accept("b")
    taps.accept("c")
    let feeding = Just("d").subscribe(level)
    level.accept("e")
    (level, taps) = (CurrentValueRelay("other"), PassthroughRelay())
    expect(levels.log, ["a", "b", "d", "e"])
    expect(tapped.log, ["c"])
    let replay = ReplayRelay<Int>(capacity: 1)
    replay.accept(1)
    expect(replay.received().log, ["1"])
    _ = feeding
  }

  // CombineExt | `CurrentValueRelay`, `PassthroughRelay`
  //
  // Differs: a subscription keeps the relay alive.
  static func relayLifetime() {
    var relay: PassthroughRelay<Int>? = PassthroughRelay()
    weak let released = relay
    let subscriber = relay?.received()
    relay = nil
    released?.accept(1)
    expect(subscriber?.log, ["1"])
    subscriber?.cancel()
    expect(released == nil, true)
  }

  // CombineExt | `ReplaySubject(bufferSize:)`
  //
  // Differs: the completion waits for the values that a subscriber has not requested.
  static func replaySubject() {
    let subject = ReplaySubject<Int, Never>(bufferSize: 3)
    for number in 1...4 { subject.send(number) }
    let (asking, live) = (Asking<Int, Never>(), subject.received())
    subject.subscribe(asking)
    subject.send(5)
    subject.send(completion: .finished)
    expect(live.log, ["2", "3", "4", "5", "finished"])
    expect(asking.log, [])
    asking.request(.max(3))
    expect(asking.log, ["2", "3", "4"])
    asking.request(.max(1))
    expect(asking.log, ["2", "3", "4", "5", "finished"])
    let scheduler = VirtualTimeScheduler()
    let young = ReplaySubject<Int, Never>(maximumAge: 10, scheduler: scheduler)
    young.send(1)
    scheduler.advance(by: 20)
    young.send(2)
    expect(young.received().log, ["2"])
    let twice = Asking<Int, Never>()
    subject.subscribe(twice)
    twice.request(.unlimited)
    subject.subscribe(twice)
    twice.request(.unlimited)
    expect(twice.log, ["3", "4", "5", "finished", "3", "4", "5", "finished"])
  }

  // CombineExt | `retryWhen`
  //
  // Differs: the trigger cannot fail, or fails with upstream's failure.
  static func retryWhen() {
    var attempts = 0
    let server = Deferred { () -> Result<Int, Trouble>.Publisher in
      attempts += 1
      return attempts < 3 ? Result.failure(.offline).publisher : Result.success(attempts).publisher
    }
    expect(server.retryWhen { $0.map { _ in } }.received().log, ["3", "finished"])
    struct Tired: Error {}
    attempts = 0
    let tired = server.retryWhen { failures in
      failures.tryMap { _ in if attempts > 1 { throw Tired() } }.mapError { _ in Trouble.denied }
    }
    expect(tired.received().log, ["failure(denied)"])
  }

  // CombineExt | `assign(to:on:ownership:)`, to several objects
  static func assign() {
    final class Label { var text = "" }
    let (texts, labels) = (PassthroughSubject<String, Never>(), [Label(), Label(), Label()])
    let several = texts.assign(to: \.text, on: labels[0], and: \.text, on: labels[1], and: \.text, on: labels[2])
    texts.send("a")
    expect(labels.map(\.text), ["a", "a", "a"])
    var weakly: Label? = Label()
    weak let released = weakly
    let one = texts.assign(to: \.text, on: weakly!, ownership: .weak)
    let unowned = texts.assign(to: \.text, on: labels[0], ownership: .unowned)
    texts.send("b")
    expect(weakly?.text, "b")
    weakly = nil
    expect(released == nil, true)
    texts.send("c")
    expect(labels[0].text, "c")
    _ = (several, one, unowned)
  }

  // CombineExt | `sink(target:ownership:)`
  //
  // Differs: the stream finishes at the first value after the end of the object.
  static func sinkTarget() {
    final class Screen { var texts: [String] = [] }
    let texts = PassthroughSubject<String, Never>()
    var screen: Screen? = Screen()
    weak let released = screen
    var isFinished = false
    let cancellable = texts.withUnretained(screen!).sink(
      receiveCompletion: { _ in isFinished = true }, receiveValue: { $0.texts.append($1) })
    texts.send("a")
    expect(screen?.texts, ["a"])
    screen = nil
    expect(released == nil, true)
    expect(isFinished, false)
    texts.send("b")
    expect(isFinished, true)
    _ = cancellable
  }

  // CombineExt | `ignoreFailure(completeImmediately:)`
  static func ignoreFailure() {
    let numbers = Fail<Int, Trouble>(error: .offline).prepend(1)
    expect(numbers.ignoreFailure().received().log, ["1", "finished"])
    expect(numbers.ignoreFailure(completeImmediately: true).received().log, ["1", "finished"])
    let open = numbers.ignoreFailure(completeImmediately: false)
    expect(open.received().log, ["1"])
    let finished = Just(1).setFailureType(to: Trouble.self).ignoreFailure(completeImmediately: false)
    expect(finished.received().log, ["1", "finished"])
  }

  // CombineExt | `fromAsync`, `asyncMap`
  static func tasks() async {
    let future = Future { 7 }
    expect(await future.value, 7)
    var results: [Int] = []
    for await result in [1, 2, 3].publisher.mapAsync({ $0 * 10 }).values { results.append(result) }
    expect(results, [10, 20, 30])
    let (stream, end) = AsyncStream<Never>.makeStream()
    let subscriber = Just(1).mapAsync { number in
      while !Task.isCancelled { await Task.yield() }
      end.finish()
      return number
    }.received()
    subscriber.cancel()
    for await _ in stream {}
    expect(subscriber.log, [])
  }
}
