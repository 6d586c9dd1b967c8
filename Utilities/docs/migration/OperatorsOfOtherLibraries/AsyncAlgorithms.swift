// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockConcurrency
import PenstockOperators
import PenstockTesting

enum OperatorsOfAsyncAlgorithms: Compositions {
  // swift-async-algorithms | `chunked(into:by:)`
  static func chunkedIntoBy() {
    let reception = publisher.chunked(by: <).map(Set.init).received()
    reception.cancel()
  }

  // swift-async-algorithms | `chunked(into:on:)`
  static func chunkedIntoOn() {
    let reception = publisher.chunked(on: key).map { ($0.0, Set($0.1)) }.received()
    reception.cancel()
  }

  // swift-async-algorithms | `chunks(ofCount:into:)`
  static func chunksOfCountInto() {
    let reception = publisher.collect(2).map(Set.init).received()
    reception.cancel()
  }

  // swift-async-algorithms | `joined(separator:)`
  static func joinedSeparator() {
    let reception = nested.intersperse([0].publisher.eraseToAnyPublisher()).concatMap { $0 }.received()
    expect(reception.log, ["1", "2", "3", "0", "4", "5", "finished"])
  }
}
