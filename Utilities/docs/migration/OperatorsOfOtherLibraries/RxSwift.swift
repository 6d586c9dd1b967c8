// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockConcurrency
import PenstockOperators
import PenstockTesting

enum OperatorsOfRxSwift: Compositions {
  // RxSwift | `distinctUntilChanged(at:)`
  static func distinctUntilChangedAt() {
    let reception = words.removeDuplicates { $0.count == $1.count }.received()
    expect(reception.log, ["gate", "turbine", "finished"])
  }

  // RxSwift | `merge(maxConcurrent:)`
  static func mergeMaxConcurrent() {
    let reception = nested.flatMap(maxPublishers: .max(2)) { $0 }.received()
    expect(reception.log, ["1", "2", "3", "4", "5", "finished"])
  }

  // RxSwift | `single(predicate)`
  static func singlePredicate() {
    let reception = publisher.filter { $0 == 2 }.single().received()
    expect(reception.log, ["2", "finished"])
  }

  // RxSwift | `timeout(other:)`
  static func timeoutOther() {
    let scheduler = VirtualTimeScheduler()
    let reception = silent.timeout(1, scheduler: scheduler) { Trouble.offline }.catch { _ in other }.received()
    scheduler.advance(by: 100)
    expect(reception.log, ["4", "5", "finished"])
  }
}
