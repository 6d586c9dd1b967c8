// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockConcurrency
import PenstockOperators
import PenstockTesting

enum OperatorsOfRxSwiftExt: Compositions {
  // RxSwiftExt | `ignore`
  static func ignore() {
    let reception = publisher.filter { ![2, 3].contains($0) }.received()
    expect(reception.log, ["1", "finished"])
  }

  // RxSwiftExt | `zip(with:)`
  static func zipWith() {
    let reception = publisher.zip(other) { $0 + $1 }.received()
    expect(reception.log, ["5", "7", "finished"])
  }
}
