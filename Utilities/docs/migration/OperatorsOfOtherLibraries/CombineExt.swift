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

  // CombineExt | `flatMapBatches(of:)`
  static func flatMapBatches() {
    let publishers = (1...4).map { [$0, $0 * 10].publisher }
    expect(
      publishers.publisher.collect(2).concatMap { $0.zip() }.received().log,
      ["[1, 2]", "[10, 20]", "[3, 4]", "[30, 40]", "finished"])
  }

  // CombineExt | `sink(target:ownership:)`
  static func sinkTargetOwnership() {
    let cancellable = publisher.withUnretained(reader).sink { reader, value in reader.read(value) }
    cancellable.cancel()
  }
}
