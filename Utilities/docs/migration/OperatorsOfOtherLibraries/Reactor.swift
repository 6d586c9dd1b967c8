// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockConcurrency
import PenstockOperators
import PenstockTesting

enum OperatorsOfReactor: Compositions {
  // Reactor | `and` (Mono)
  static func and() {
    let reception = publisher.ignoreOutput().merge(with: other.ignoreOutput()).received()
    expect(reception.log, ["finished"])
  }

  // Reactor | `bufferUntilChanged`
  static func bufferUntilChanged() {
    let reception = publisher.chunked(by: ==).received()
    expect(reception.log, ["[1]", "[2]", "[3]", "finished"])
  }

  // Reactor | `bufferWhile`
  static func bufferWhile() {
    let reception = publisher.chunked(on: isWanted).filter { $0.0 }.map { $0.1 }.received()
    expect(reception.log, ["[1]", "[3]", "finished"])
  }

  // Reactor | `collectMap`
  static func collectMap() {
    let reception = publisher.map { (key($0), $0) }.collect().map { Dictionary($0) { $1 } }.received()
    reception.cancel()
  }

  // Reactor | `collectMultimap`
  static func collectMultimap() {
    let reception = publisher.collect().map { Dictionary(grouping: $0, by: key) }.received()
    reception.cancel()
  }

  // Reactor | `collectSortedList`
  static func collectSortedList() {
    let reception = publisher.collect().map { $0.sorted(by: >) }.received()
    expect(reception.log, ["[3, 2, 1]", "finished"])
  }

  // Reactor | `concatDelayError`
  static func concatDelayError() {
    let reception = [failing, failing].map { $0.mapToResult() }.concat().received()
    expect(reception.log, ["success(1)", "failure(offline)", "success(1)", "failure(offline)", "finished"])
  }

  // Reactor | `concatMapDelayError`
  static func concatMapDelayError() {
    let reception = publisher.concatMap { load($0).mapToResult() }.received()
    expect(reception.log, ["success(10)", "failure(denied)", "success(30)", "finished"])
  }

  // Reactor | `concatMapIterable`
  static func concatMapIterable() {
    let reception = publisher.concatMap { parts(of: $0).publisher }.received()
    expect(reception.log, ["1", "-1", "2", "-2", "3", "-3", "finished"])
  }

  // Reactor | `delay` (Mono)
  static func delay() {
    let scheduler = VirtualTimeScheduler()
    let reception = Just(0).delay(for: 1, scheduler: scheduler).received()
    scheduler.advance(by: 100)
    expect(reception.log, ["0", "finished"])
  }

  // Reactor | `delayElements`
  static func delayElements() {
    let scheduler = VirtualTimeScheduler()
    let reception = publisher.concatMap { Just($0).delay(for: 1, scheduler: scheduler) }.received()
    scheduler.advance(by: 100)
    expect(reception.log, ["1", "2", "3", "finished"])
  }

  // Reactor | `delayUntil`
  static func delayUntil() {
    let reception = publisher.concatMap { value in start(value).ignoreOutput(setOutputType: Int.self).append(value) }
      .received()
    expect(reception.log, ["1", "2", "3", "finished"])
  }

  // Reactor | `elapsed`
  static func elapsed() {
    let scheduler = VirtualTimeScheduler()
    let reception = publisher.zip(publisher.measureInterval(using: scheduler)).received()
    scheduler.advance(by: 100)
    expect(reception.log, ["(1, 0s)", "(2, 0s)", "(3, 0s)", "finished"])
  }

  // Reactor | `filterWhen`
  static func filterWhen() {
    let reception = publisher.concatMap { value in isReady(value).first().filter { $0 }.mapToValue(value) }.received()
    expect(reception.log, ["1", "3", "finished"])
  }

  // Reactor | `firstWithValue`
  static func firstWithValue() {
    let reception = publishers.map { $0.ignoreFailure() }.merge().first().received()
    expect(reception.log, ["1", "finished"])
  }

  // Reactor | `flatMapDelayError`
  static func flatMapDelayError() {
    let reception = publisher.flatMap { load($0).mapToResult() }.received()
    expect(reception.log, ["success(10)", "failure(denied)", "success(30)", "finished"])
  }

  // Reactor | `flatMapSequentialDelayError`
  static func flatMapSequentialDelayError() {
    let reception = publisher.flatMapSequential { load($0).mapToResult() }.received()
    expect(reception.log, ["success(10)", "failure(denied)", "success(30)", "finished"])
  }

  // Reactor | `fromRunnable` (Mono)
  static func fromRunnable() {
    let reception = Empty<Int, Never>().onStart { run() }.received()
    expect(reception.log, ["finished"])
  }

  // Reactor | `hasElements`
  static func hasElements() {
    let reception = publisher.contains { _ in true }.received()
    expect(reception.log, ["true", "finished"])
  }

  // Reactor | `mergeSequential`
  static func mergeSequential() {
    let reception = publishers.publisher.flatMapSequential { $0 }.received()
    expect(reception.log, ["1", "2", "3", "4", "5", "finished"])
  }

  // Reactor | `mergeSequentialDelayError`
  static func mergeSequentialDelayError() {
    let reception = publishers.publisher.flatMapSequential { $0.mapToResult() }.received()
    expect(reception.log, ["success(1)", "success(2)", "success(3)", "success(4)", "success(5)", "finished"])
  }

  // Reactor | `onBackpressureError`
  static func onBackpressureError() {
    let reception = publisher.setFailureType(to: Trouble.self).buffer(
      size: 1, prefetch: .keepFull, whenFull: .customError { .denied }
    ).received()
    expect(reception.log, ["1", "2", "3", "finished"])
  }

  // Reactor | `publishNext`
  static func publishNext() {
    let reception = publisher.first().shareReplay(capacity: 1).received()
    expect(reception.log, ["1", "finished"])
  }

  // Reactor | `reduceWith`
  static func reduceWith() {
    let reception = Deferred { publisher.reduce(make(), +) }.received()
    expect(reception.log, ["13", "finished"])
  }

  // Reactor | `repeatWhen`
  static func repeatWhen() {
    let scheduler = VirtualTimeScheduler()
    let reception = publisher.append(Empty().delay(for: 1, scheduler: scheduler)).repeat(2).received()
    scheduler.advance(by: 100)
    expect(reception.log, ["1", "2", "3", "1", "2", "3", "finished"])
  }

  // Reactor | `repeatWhenEmpty` (Mono)
  static func repeatWhenEmpty() {
    let scheduler = VirtualTimeScheduler()
    let reception = publisher.single().retry(3, delay: 1, scheduler: scheduler).received()
    scheduler.advance(by: 100)
    expect(reception.log, ["failure(severalValues)"])
  }

  // Reactor | `replay`
  static func replay() {
    let reception = publisher.multicast(subject: ReplaySubject<Int, Never>(capacity: 2)).autoconnect().received()
    expect(reception.log, ["1", "2", "3", "finished"])
  }

  // Reactor | `sampleTimeout`
  static func sampleTimeout() {
    let scheduler = VirtualTimeScheduler()
    let reception = publisher.flatMapLatest { Just($0).delay(for: 1, scheduler: scheduler) }.received()
    scheduler.advance(by: 100)
    expect(reception.log, ["3", "finished"])
  }

  // Reactor | `scanWith`
  static func scanWith() {
    let reception = Deferred { publisher.scan(make(), +) }.received()
    expect(reception.log, ["8", "10", "13", "finished"])
  }

  // Reactor | `singleOptional` (Mono)
  static func singleOptional() {
    let reception = publisher.map(Optional.some).replaceEmpty(with: nil).received()
    expect(reception.log, ["Optional(1)", "Optional(2)", "Optional(3)", "finished"])
  }

  // Reactor | `singleOrEmpty`
  static func singleOrEmpty() {
    let reception = publisher.map(Optional.some).replaceEmpty(with: nil).single().unwrap().received()
    expect(reception.log, ["failure(severalValues)"])
  }

  // Reactor | `sort`
  static func sort() {
    let reception = publisher.collect().flatMap { $0.sorted(by: >).publisher }.received()
    expect(reception.log, ["3", "2", "1", "finished"])
  }

  // Reactor | `thenReturn` (Mono)
  static func thenReturn() {
    let reception = publisher.ignoreOutput(setOutputType: Int.self).append(7).received()
    expect(reception.log, ["7", "finished"])
  }

  // Reactor | `toFuture` (Mono)
  static func toFuture() async {
    let value = await publisher.values.first { _ in true }
    expect(value, 1)
  }

  // Reactor | `transformDeferred`
  static func transformDeferred() {
    let reception = Deferred { publisher.apply(doubled) }.received()
    expect(reception.log, ["2", "4", "6", "finished"])
  }

  // Reactor | `when` (Mono)
  static func when() {
    let reception = publishers.merge().ignoreOutput().received()
    expect(reception.log, ["finished"])
  }

  // Reactor | `whenDelayError` (Mono)
  static func whenDelayError() {
    let reception = [failing, failing].map { $0.mapToResult() }.merge().received()
    expect(reception.log, ["success(1)", "failure(offline)", "success(1)", "failure(offline)", "finished"])
  }

  // Reactor | `windowUntil`
  static func windowUntil() {
    let reception = publisher.collect(while: isWanted).map(\.publisher).received()
    reception.cancel()
  }

  // Reactor | `windowUntilChanged`
  static func windowUntilChanged() {
    let reception = publisher.chunked(by: ==).map(\.publisher).received()
    reception.cancel()
  }

  // Reactor | `windowWhile`
  static func windowWhile() {
    let reception = publisher.chunked(on: isWanted).filter { $0.0 }.map { $0.1.publisher }.received()
    reception.cancel()
  }

  // Reactor | `zipDelayError` (Mono)
  static func zipDelayError() {
    let reception = [failing, failing].map { $0.mapToResult() }.zip().received()
    reception.cancel()
  }

  // Reactor | `zipWhen` (Mono)
  static func zipWhen() {
    let reception = publisher.flatMap { value in start(value).map { (value, $0) } }.received()
    expect(reception.log, ["(1, 10)", "(2, 20)", "(3, 30)", "finished"])
  }

  // Reactor | `zipWithIterable`
  static func zipWithIterable() {
    let reception = publisher.zip(["a", "b"].publisher).received()
    expect(reception.log, [#"(1, "a")"#, #"(2, "b")"#, "finished"])
  }
}
