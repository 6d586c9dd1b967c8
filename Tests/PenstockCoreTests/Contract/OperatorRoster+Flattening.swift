// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport

extension RosterEntry {
  static let flattening: [RosterEntry] = [
    .init("flatMap", asksForEverything: true) { $0.flatMap { Just($0) } },
    .init("flatMap, no values", asksForEverything: true) {
      $0.flatMap(maxPublishers: .max(1)) { _ in Empty<Int, TestError>() }
    },
    .init("switchToLatest", asksForEverything: true) { stream in Just(stream).switchToLatest() },
    .init("prefix(untilOutputFrom:)") { $0.prefix(untilOutputFrom: Empty<Int, Never>(completeImmediately: false)) },
    .init("drop(untilOutputFrom:)") { $0.drop(untilOutputFrom: Just(1).setFailureType(to: TestError.self)) },
  ]
}
