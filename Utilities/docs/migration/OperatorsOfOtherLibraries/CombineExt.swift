// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockConcurrency
import PenstockOperators
import PenstockTesting

enum OperatorsOfCombineExt: Compositions {
  // CombineExt | `enumerated(initial:)`
  static func enumeratedInitial() {
    let reception = publisher.enumerated().map { ($0.index + 1, $0.element) }.received()
    expect(reception.log, ["(1, 1)", "(2, 2)", "(3, 3)", "finished"])
  }

  // CombineExt | `sink(target:ownership:)`
  static func sinkTargetOwnership() {
    let cancellable = publisher.withUnretained(reader).sink { reader, value in reader.read(value) }
    cancellable.cancel()
  }
}
