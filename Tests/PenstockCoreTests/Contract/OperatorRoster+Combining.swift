// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport

extension RosterEntry {
  /// Combined with what neither adds nor takes away, so that numbers are the same as of one upstream.
  static let combining: [RosterEntry] = [
    .init("merge with nothing", asksForEverything: true) {
      $0.merge(with: Empty(outputType: Int.self, failureType: TestError.self))
    },
    .init("MergeMany of one", asksForEverything: true) { Publishers.MergeMany([$0]) },
    .init("zip with an endless sequence") { $0.zip(Self.endless) { number, _ in number } },
    .init("zip of three, two of them endless") { $0.zip(Self.endless, Self.endless) { number, _, _ in number } },
    .init("combineLatest with one value") {
      Just(10).setFailureType(to: TestError.self).combineLatest($0, +)
    },
    .init("combineLatest with two values") {
      Just(10).setFailureType(to: TestError.self)
        .combineLatest(Just(20).setFailureType(to: TestError.self), $0) { $0 + $1 + $2 }
    },
  ]

  private static var endless: Publishers.Sequence<PartialRangeFrom<Int>, TestError> { .init(sequence: 1...) }
}
