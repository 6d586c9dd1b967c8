// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockConcurrency
import PenstockOperators
import PenstockTesting

enum OperatorsOfKotlinFlow: Compositions {
  // Kotlin Flow | `collectIndexed`
  static func collectIndexed() {
    let cancellable = publisher.enumerated().sink { index, value in print(index, value) }
    cancellable.cancel()
  }

  // Kotlin Flow | `collectLatest`
  static func collectLatest() {
    let cancellable = publisher.flatMapLatest { number in Deferred { await answer(to: number) } }.sink { print($0) }
    cancellable.cancel()
  }

  // Kotlin Flow | `combineTransform`
  static func combineTransform() {
    let reception = publisher.combineLatest(other).flatMap { [$0.0, $0.1].publisher }.received()
    expect(reception.log, ["3", "4", "3", "5", "finished"])
  }

  // Kotlin Flow | `conflate`
  static func conflate() {
    let reception = publisher.coalesce { $1 }.received()
    expect(reception.log, ["1", "2", "3", "finished"])
  }

  // Kotlin Flow | `count` (with a predicate)
  static func count() {
    let reception = publisher.filter { isWanted($0) }.count().received()
    expect(reception.log, ["2", "finished"])
  }

  // Kotlin Flow | `distinctUntilChangedBy`
  static func distinctUntilChangedBy() {
    let reception = publisher.removeDuplicates { key($0) == key($1) }.received()
    expect(reception.log, ["1", "2", "3", "finished"])
  }

  // Kotlin Flow | `emitAll`
  static func emitAll() {
    let reception = publisher.append(other).received()
    expect(reception.log, ["1", "2", "3", "4", "5", "finished"])
  }

  // Kotlin Flow | `filterNot`
  static func filterNot() {
    let reception = publisher.filter { !isWanted($0) }.received()
    expect(reception.log, ["2", "finished"])
  }

  // Kotlin Flow | `first`
  static func firsts() {
    let reception = publisher.first().single().received()
    expect(reception.log, ["1", "finished"])
  }

  // Kotlin Flow | `flattenConcat`
  static func flattenConcat() {
    let reception = nested.concatMap { $0 }.received()
    expect(reception.log, ["1", "2", "3", "4", "5", "finished"])
  }

  // Kotlin Flow | `flattenMerge`
  static func flattenMerge() {
    let reception = nested.flatMap { $0 }.received()
    expect(reception.log, ["1", "2", "3", "4", "5", "finished"])
  }

  // Kotlin Flow | `last`
  static func last() {
    let reception = publisher.last().single().received()
    expect(reception.log, ["3", "finished"])
  }

  // Kotlin Flow | `mapLatest`
  static func mapLatest() {
    let reception = publisher.flatMapLatest { number in Deferred { await answer(to: number) } }.received()
    reception.cancel()
  }

  // Kotlin Flow | `none`
  static func none() {
    let reception = publisher.contains { $0 > 3 }.not().received()
    expect(reception.log, ["true", "finished"])
  }

  // Kotlin Flow | `reduce`
  static func reduce() {
    let reception = publisher.scan(nil) { ($0 ?? 0) + $1 }.last().unwrap().received()
    expect(reception.log, ["6", "finished"])
  }

  // Kotlin Flow | `runningFold`
  static func runningFold() {
    let reception = publisher.scan(0, +).prepend(0).received()
    expect(reception.log, ["0", "1", "3", "6", "finished"])
  }

  // Kotlin Flow | `runningReduce`
  static func runningReduce() {
    let reception = publisher.scan(nil) { ($0 ?? 0) + $1 }.unwrap().received()
    expect(reception.log, ["1", "3", "6", "finished"])
  }

  // Kotlin Flow | `sample`
  static func sample() {
    let scheduler = VirtualTimeScheduler()
    let reception = publisher.sample(Publishers.interval(1, scheduler: scheduler)).received()
    scheduler.advance(by: 100)
    expect(reception.log, ["finished"])
  }

  // Kotlin Flow | `SharingStarted.Eagerly`
  static func sharingStartedEagerly() {
    let cancellable = publisher.multicast(subject: ReplaySubject<Int, Never>(capacity: 1)).connect()
    cancellable.cancel()
  }

  // Kotlin Flow | `singleOrNull`
  static func singleOrNull() {
    let reception = publisher.collect(2).first().compactMap { $0.count == 1 ? $0[0] : nil }.received()
    expect(reception.log, ["finished"])
  }

  // Kotlin Flow | `stateIn`
  static func stateIn() {
    let reception = publisher.multicast(subject: CurrentValueSubject<Int, Never>(0)).autoconnect().received()
    expect(reception.log, ["0", "1", "2", "3", "finished"])
  }

  // Kotlin Flow | `toSet`
  static func toSet() {
    let reception = publisher.collect().map(Set.init).received()
    reception.cancel()
  }

  // Kotlin Flow | `transform`
  static func transform() {
    let reception = publisher.flatMap { parts(of: $0).publisher }.received()
    expect(reception.log, ["1", "-1", "2", "-2", "3", "-3", "finished"])
  }

  // Kotlin Flow | `transformLatest`
  static func transformLatest() {
    let reception = publisher.flatMapLatest { parts(of: $0).publisher }.received()
    expect(reception.log, ["1", "-1", "2", "-2", "3", "-3", "finished"])
  }

  // Kotlin Flow | `transformWhile`
  static func transformWhile() {
    let reception = publisher.prefix(while: isWanted).flatMap { parts(of: $0).publisher }.received()
    expect(reception.log, ["1", "-1", "finished"])
  }
}
