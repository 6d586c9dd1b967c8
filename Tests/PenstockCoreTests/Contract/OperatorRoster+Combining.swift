// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport

extension RosterEntry {
  /// Combined with upstreams that neither add nor remove values, so that the numbers are those of one upstream.
  static let combining: [RosterEntry] = [
    .init("merge with nothing", asksForEverything: true) {
      $0.merge(with: Empty(outputType: Int.self, failureType: TestError.self))
    },
    .init("MergeMany of one", asksForEverything: true) { Publishers.MergeMany([$0]) },
    .init("zip with a long sequence") { $0.zip(Self.long) { number, _ in number } },
    .init("zip of three") { $0.zip(Self.long, Self.long) { number, _, _ in number } },
    .init("combineLatest with one value") {
      Just(10).setFailureType(to: TestError.self).combineLatest($0, +)
    },
    .init("combineLatest with two values") {
      Just(10).setFailureType(to: TestError.self)
        .combineLatest(Just(20).setFailureType(to: TestError.self), $0) { $0 + $1 + $2 }
    },
  ]

  /// Whether a failure drops values that wait for demand, so that the result depends on how many were requested.
  var dropsWithFailure: Bool { name.hasPrefix("merge") || name.hasPrefix("MergeMany") || name.hasPrefix("zip") }

  /// Longer than any other in the tests; an endless one would never stop delivering to a zip with unlimited demand.
  private static var long: Publishers.Sequence<ClosedRange<Int>, TestError> { .init(sequence: 1...100_001) }
}
