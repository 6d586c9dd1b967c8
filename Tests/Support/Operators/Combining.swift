// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore

extension OperatorSpec {
  /// Combined with upstreams that neither add nor remove values, so that the numbers are those of one upstream.
  public static let combining: [OperatorSpec] = [
    .init("append") { $0.append(100) },
    .init("append, erased") { $0.append(Empty()).eraseToAnyPublisher().append(100) },
    .init("prepend") { $0.prepend(Empty()) },
    .init("merge with nothing", requests: .more, traits: [.losesValuesWithFailure]) {
      $0.merge(with: Empty(outputType: Int.self, failureType: TestError.self))
    },
    .init("MergeMany of one", requests: .more, traits: [.losesValuesWithFailure]) { Publishers.MergeMany([$0]) },
    .init("zip with a long sequence", traits: [.losesValuesWithFailure, .isLong]) {
      $0.zip(long) { number, _ in number }
    },
    .init("zip of three", traits: [.losesValuesWithFailure, .isLong]) { $0.zip(long, long) { number, _, _ in number } },
    .init("combineLatest with one value") {
      Just(10).setFailureType(to: TestError.self).combineLatest($0, +)
    },
    .init("combineLatest with two values") {
      Just(10).setFailureType(to: TestError.self)
        .combineLatest(Just(20).setFailureType(to: TestError.self), $0) { $0 + $1 + $2 }
    },
  ]

  /// Longer than any other stream in the tests; an endless stream would never stop delivering to a zip with unlimited
  /// demand.
  private static var long: Publishers.Sequence<ClosedRange<Int>, TestError> { .init(sequence: 1...100_001) }
}
