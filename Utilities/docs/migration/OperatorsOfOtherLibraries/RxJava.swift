// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockConcurrency
import PenstockOperators
import PenstockTesting

enum OperatorsOfRxJava: Compositions {
  // RxJava | `elementAtOrError`
  static func elementAtOrError() {
    let reception = publisher.output(at: 1).single().received()
    expect(reception.log, ["2", "finished"])
  }

  // RxJava | `first`
  static func firsts() {
    let reception = publisher.first().replaceEmpty(with: 0).received()
    expect(reception.log, ["1", "finished"])
  }

  // RxJava | `forEachWhile`
  static func forEachWhile() {
    let cancellable = publisher.prefix(while: isWanted).sink { print($0) }
    cancellable.cancel()
  }

  // RxJava | `intervalRange`
  static func intervalRange() {
    let scheduler = VirtualTimeScheduler()
    let reception = Publishers.interval(1, scheduler: scheduler).enumerated().map(\.index).prefix(3).received()
    scheduler.advance(by: 100)
    expect(reception.log, ["0", "1", "2", "finished"])
  }

  // RxJava | `isEmpty`
  static func isEmpty() {
    let reception = publisher.contains { _ in true }.not().received()
    expect(reception.log, ["false", "finished"])
  }

  // RxJava | `repeatUntil`
  static func repeatUntil() {
    let reception = Publishers.generate(state: ()) { _ in isDone() ? nil : publisher }.concatMap { $0 }.received()
    expect(reception.log, ["finished"])
  }

  // RxJava | `retryUntil`
  static func retryUntil() {
    let scheduler = VirtualTimeScheduler()
    let reception = failing.retry(3, delay: 1, scheduler: scheduler) { _ in !isDone() }.received()
    scheduler.advance(by: 100)
    expect(reception.log, ["1", "failure(offline)"])
  }

  // RxJava | `switchMapCompletableDelayError`
  static func switchMapCompletableDelayError() {
    let reception = publisher.flatMapLatest { load($0).mapToResult() }.received()
    expect(reception.log, ["success(10)", "failure(denied)", "success(30)", "finished"])
  }

  // RxJava | `switchOnNextDelayError`
  static func switchOnNextDelayError() {
    let reception = nested.flatMapLatest { $0.mapToResult() }.received()
    expect(reception.log, ["success(1)", "success(2)", "success(3)", "success(4)", "success(5)", "finished"])
  }
}
