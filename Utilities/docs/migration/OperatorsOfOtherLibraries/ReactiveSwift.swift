// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockConcurrency
import PenstockOperators
import PenstockTesting

enum OperatorsOfReactiveSwift: Compositions {
  // ReactiveSwift | `all`
  static func all() {
    let reception = flags.combineLatest().map { $0.allSatisfy { $0 } }.received()
    expect(reception.log, ["false", "finished"])
  }

  // ReactiveSwift | `any`
  static func any() {
    let reception = flags.combineLatest().map { $0.contains(true) }.received()
    expect(reception.log, ["true", "finished"])
  }

  // ReactiveSwift | `attempt`
  static func attempt() {
    let reception = publisher.tryMap { try check($0) }.received()
    expect(reception.log, ["1", "2", "failure(denied)"])
  }

  // ReactiveSwift | `attempt` (of the type)
  static func attemptAgain() {
    let reception = Deferred { Result { try tryMake() }.publisher }.received()
    expect(reception.log, ["7", "finished"])
  }

  // ReactiveSwift | `dematerializeResults`
  static func dematerializeResults() {
    let reception = failing.mapToResult().tryMap { try $0.get() }.received()
    expect(reception.log, ["1", "failure(offline)"])
  }

  // ReactiveSwift | `flatMap(.race)`
  static func flatMapRace() {
    let reception = nested.collect().flatMap { $0.amb() }.received()
    expect(reception.log, ["1", "2", "3", "finished"])
  }

  // ReactiveSwift | `lazyMap(on:)`
  static func lazyMapOn() {
    let scheduler = VirtualTimeScheduler()
    let reception = publisher.buffer(size: 1, prefetch: .keepFull, whenFull: .dropOldest).flatMap(
      maxPublishers: .max(1)
    ) { Just($0).receive(on: scheduler).map { $0 * 10 } }.received()
    scheduler.advance(by: 100)
    expect(reception.log, ["10", "20", "30", "finished"])
  }

  // ReactiveSwift | `reduce(into:)`
  static func reduceInto() {
    let reception = publisher.scan(into: []) { $0.append($1) }.last().received()
    expect(reception.log, ["[1, 2, 3]", "finished"])
  }

  // ReactiveSwift | `sample(on:)`
  static func sampleOn() {
    let reception = other.withLatestFrom(publisher).received()
    expect(reception.log, ["3", "3", "finished"])
  }

  // ReactiveSwift | `sample(with:)`
  static func sampleWith() {
    let reception = other.withLatestFrom(publisher) { ($1, $0) }.received()
    expect(reception.log, ["(3, 4)", "(3, 5)", "finished"])
  }

  // ReactiveSwift | `scanMap`
  static func scanMap() {
    let reception = publisher.scan((0, 0)) { ($0.0 + $1, $0.0 * $1) }.map { $0.1 }.received()
    expect(reception.log, ["0", "2", "9", "finished"])
  }

  // ReactiveSwift | `take(untilReplacement:)`
  static func takeUntilReplacement() {
    let subject = PassthroughSubject<Int, Never>()
    let reception = publisher.prefix(untilOutputFrom: subject).merge(with: subject).received()
    expect(reception.log, ["1", "2", "3"])
  }

  // ReactiveSwift | `timeout(after:raising:on:)`
  static func timeoutAfterRaisingOn() {
    let scheduler = VirtualTimeScheduler()
    let reception = silent.timeout(1, scheduler: scheduler) { Trouble.offline }.received()
    scheduler.advance(by: 100)
    expect(reception.log, ["failure(offline)"])
  }
}
