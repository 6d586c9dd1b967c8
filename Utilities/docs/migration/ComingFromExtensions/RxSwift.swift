// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators
import PenstockTesting

enum ComingFromRxSwift {
  // RxSwift | `Observable.just`, `of`, `from`, `empty`, `never`, `error`, `deferred`
  static func sources() {
    expect(Just(1).received().log, ["1", "finished"])
    expect([1, 2].publisher.received().log, ["1", "2", "finished"])
    expect(Empty<Int, Never>().received().log, ["finished"])
    expect(Empty<Int, Never>(completeImmediately: false).received().log, [])
    expect(Fail<Int, Trouble>(error: .offline).received().log, ["failure(offline)"])
    expect(Deferred { Just(2) }.received().log, ["2", "finished"])
  }

  // RxSwift | `create`
  static func create() {
    var log: [String] = []
    let numbers = AnyPublisher<Int, Never>.create { emitter in
      emitter.send(1)
      emitter.send(completion: .finished)
      return AnyCancellable { log.append("released") }
    }
    expect(numbers.received().log, ["1", "finished"])
    expect(log, ["released"])
  }

  // RxSwift | `generate`, `range`, `repeatElement`, `using`
  //
  // Differs: one closure for the values, and a number of repetitions.
  static func making() {
    let powers = Publishers.generate(state: 1) { power -> Int? in
      if power > 10 { return nil }
      defer { power *= 3 }
      return power
    }
    expect(powers.received().log, ["1", "3", "9", "finished"])
    expect((4..<6).publisher.received().log, ["4", "5", "finished"])
    expect(repeatElement(7, count: 2).publisher.received().log, ["7", "7", "finished"])
    expect(repeatElement(7, count: .max).publisher.prefix(2).received().log, ["7", "7", "finished"])
    final class File { let lines = ["a", "b"] }
    weak var open: File?
    let lines = Publishers.using {
      let file = File()
      open = file
      return file
    } cleanup: { _ in
    } publisher: {
      $0.lines.publisher
    }
    expect(lines.received().log, ["a", "b", "finished"])
    expect(open == nil, true)
  }

  // RxSwift | `interval`, `timer`
  //
  // Differs: a tick is a time.
  static func timers() {
    let scheduler = VirtualTimeScheduler()
    let ticks = Publishers.interval(2, scheduler: scheduler)
    let (times, numbers) = (ticks.received(), ticks.enumerated().map(\.index).received())
    let once = Just("x").delay(for: 3, scheduler: scheduler).received()
    scheduler.advance(by: 5)
    expect(times.log, ["2s", "4s"])
    expect(numbers.log, ["0", "1"])
    expect(once.log, ["x", "finished"])
  }

  // RxSwift | `map`, `compactMap`, `filter`, `scan`, `reduce`, `enumerated`
  static func mapping() {
    let numbers = (1...3).publisher
    expect(numbers.map { $0 * 2 }.received().log, ["2", "4", "6", "finished"])
    expect(numbers.compactMap { $0 == 2 ? nil : $0 }.received().log, ["1", "3", "finished"])
    expect(numbers.filter { $0 > 2 }.received().log, ["3", "finished"])
    expect(numbers.scan(0, +).received().log, ["1", "3", "6", "finished"])
    expect(numbers.reduce(0, +).received().log, ["6", "finished"])
    expect(numbers.enumerated().map(\.index).received().log, ["0", "1", "2", "finished"])
  }

  // RxSwift | `take`, `skip`, `elementAt`, `first`
  //
  // Differs: a stream that is too short finishes.
  static func positions() {
    let numbers = PassthroughSubject<Int, Never>()
    let all = [
      numbers.prefix(2).received(), numbers.dropFirst(2).received(), numbers.output(at: 1).received(),
      numbers.first().received(), numbers.output(at: 9).received(),
    ]
    let empty = Empty<Int, Never>().append(Empty()).first().received()
    for number in 1...3 { numbers.send(number) }
    numbers.send(completion: .finished)
    expect(
      all.map(\.log),
      [["1", "2", "finished"], ["3", "finished"], ["2", "finished"], ["1", "finished"], ["finished"]])
    expect(empty.log, ["finished"])
  }

  // RxSwift | `scan(into:)`
  static func scanInto() {
    let sums = (1...3).publisher.scan(into: [Int]()) { $0.append($1) }
    expect(sums.received().log, ["[1]", "[1, 2]", "[1, 2, 3]", "finished"])
  }

  // RxSwift | `distinctUntilChanged`, `ignoreElements`, `startWith`, `toArray`, `takeLast`
  static func filtering() {
    let numbers = [1, 1, 2].publisher
    expect(numbers.removeDuplicates().received().log, ["1", "2", "finished"])
    expect(numbers.ignoreOutput().received().log, ["finished"])
    expect(numbers.prepend(0).received().log, ["0", "1", "1", "2", "finished"])
    expect(numbers.collect().received().log, ["[1, 1, 2]", "finished"])
    expect(numbers.takeLast(2).received().log, ["1", "2", "finished"])
  }

  // RxSwift | `take(until:)`, `take(while:behavior:)`, `take(for:)`, `skip(until:)`, `skip(while:)`
  //
  // Differs: a signal that finishes without a value ends `drop(untilOutputFrom:)`.
  static func conditions() {
    let (numbers, signal) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Void, Never>())
    let scheduler = VirtualTimeScheduler()
    let all = [
      numbers.prefix(untilOutputFrom: signal).received(),
      numbers.prefix(while: { $0 < 2 }, behavior: .inclusive).received(),
      numbers.prefix(duration: 5, on: scheduler).received(),
      numbers.drop(untilOutputFrom: signal).received(),
      numbers.drop(while: { $0 < 2 }).received(),
    ]
    numbers.send(1)
    signal.send()
    scheduler.advance(by: 10)
    numbers.send(2)
    expect(all.map(\.log), [["1", "finished"], ["1", "2", "finished"], ["1", "finished"], ["2"], ["2"]])
    let silent = PassthroughSubject<Void, Never>()
    let dropping = numbers.drop(untilOutputFrom: silent).received()
    silent.send(completion: .finished)
    expect(dropping.log, ["finished"])
  }

  // RxSwift | `merge`, `zip`, `combineLatest`, `concat`, `amb`, `withLatestFrom`, `switchLatest`
  static func combining() {
    let (one, two) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let all = [
      one.merge(with: two).received(), one.zip(two).received(), one.combineLatest(two).received(),
      one.append(two).received(), one.amb(two).received(), one.withLatestFrom(two).received(),
      Just(one).map { $0 }.switchToLatest().received(),
    ]
    for (number, subject) in [(1, one), (2, two), (3, one)] { subject.send(number) }
    expect(
      all.map(\.log),
      [["1", "2", "3"], ["(1, 2)"], ["(1, 2)", "(3, 2)"], ["1", "3"], ["1", "3"], ["2"], ["1", "3"]])
    let eight = Just(1).combineLatest(Just(2), Just(3), Just(4), Just(5), Just(6), Just(7), Just(8))
    expect(eight.received().log, ["(1, 2, 3, 4, 5, 6, 7, 8)", "finished"])
    expect([Just(1), Just(2)].concat().received().log, ["1", "2", "finished"])
  }

  // RxSwift | `ifEmpty(default:)`, `ifEmpty(switchTo:)`
  static func ifEmpty() {
    let empty = PassthroughSubject<Int, Never>()
    let (value, other) = (empty.replaceEmpty(with: 1).received(), empty.switchIfEmpty(Just(2)).received())
    empty.send(completion: .finished)
    expect(value.log, ["1", "finished"])
    expect(other.log, ["2", "finished"])
  }

  // RxSwift | `do`, `debug`
  static func debugging() {
    final class Lines: TextOutputStream {
      var text = ""
      func write(_ string: String) { text += string }
    }
    var (log, lines) = ([Int](), Lines())
    let numbers = Just(1).handleEvents(receiveOutput: { log.append($0) }).print("n", to: lines)
    expect(numbers.received().log, ["1", "finished"])
    expect(log, [1])
    expect(lines.text.split(separator: "\n").suffix(2), ["n: receive value: (1)", "n: receive finished"])
    lines = Lines()
  }

  // RxSwift | `PublishSubject`, `BehaviorSubject`, `ReplaySubject`, `AsyncSubject`
  static func subjects() {
    let (publish, behavior) = (PassthroughSubject<Int, Never>(), CurrentValueSubject<Int, Never>(0))
    let (replay, async) = (ReplaySubject<Int, Never>(capacity: 1), AsyncSubject<Int, Never>())
    for subject in [publish, behavior, replay, async] as [any Subject<Int, Never>] { subject.send(1) }
    let all = [publish.received(), behavior.received(), replay.received(), async.received()]
    for subject in [publish, behavior, replay, async] as [any Subject<Int, Never>] {
      subject.send(2)
      subject.send(completion: .finished)
    }
    expect(
      all.map(\.log), [["2", "finished"], ["1", "2", "finished"], ["1", "2", "finished"], ["2", "finished"]])
  }

  // RxSwift | `PublishRelay`, `BehaviorRelay`, `ReplayRelay`
  static func relays() {
    let (publish, behavior) = (PassthroughRelay<Int>(), CurrentValueRelay(0))
    let replay = ReplayRelay<Int>(capacity: 1)
    for relay in [publish, behavior, replay] as [any Relay<Int>] { relay.accept(1) }
    let all = [publish.received(), behavior.received(), replay.received()]
    for relay in [publish, behavior, replay] as [any Relay<Int>] { relay.accept(2) }
    expect(all.map(\.log), [["2"], ["1", "2"], ["1", "2"]])
    expect(behavior.value, 2)
  }
}
