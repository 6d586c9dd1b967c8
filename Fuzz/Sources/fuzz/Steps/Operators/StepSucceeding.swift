// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators

extension StepOperator {
  /// Operators with one publisher after the other.
  static let succeeding: [StepOperator] = [
    .init(
      "append", arity: 2, "{0}.append({1})", { _ in SuccessionMachine { $0 == 0 && !$1 ? 1 : nil } }
    ) { $0[0].append($0[1]) },
    .init(
      "prepend", arity: 2, "{0}.prepend({1})", { _ in SuccessionMachine(first: 1) { $0 == 0 && !$1 ? 0 : nil } }
    ) { $0[0].prepend($0[1]) },
    .init(
      "catch", arity: 2, "{0}.catch { _ in {1} }", { _ in SuccessionMachine { $0 == 0 && $1 ? 1 : nil } }
    ) { b in b[0].catch { _ in b[1] } },
    .init(
      "tryCatch", arity: 2, "{0}.tryCatch { _ in {1} }.mapError { _ in ModelError() }",
      { _ in SuccessionMachine { $0 == 0 && $1 ? 1 : nil } }
    ) { b in b[0].tryCatch { _ in b[1] }.mapError { _ in ModelError() } },
    .init("retry", "{0}.retry(#)", { n in SuccessionMachine { $0 < n && $1 ? 0 : nil } }) { $0[0].retry($0.number) },
    .init(
      "switchIfEmpty", arity: 2, "{0}.switchIfEmpty({1})",
      { _ in SuccessionMachine { place, isFailure, isEmpty in place == 0 && !isFailure && isEmpty ? 1 : nil } }
    ) { $0[0].switchIfEmpty($0[1]).eraseToAnyPublisher() },
    .init(
      "andThen", arity: 2, "{0}.andThen({1})",
      { _ in SuccessionMachine(dropsFirst: true) { place, isFailure, _ in place == 0 && !isFailure ? 1 : nil } }
    ) { $0[0].andThen($0[1]).eraseToAnyPublisher() },
    // Few runs: a nest of them multiplies.
    .init(
      "repeat", "{0}.repeat(# % 2 + 1)", { n in SuccessionMachine { $0 < n % 2 && !$1 ? 0 : nil } }
    ) { $0[0].repeat($0.number % 2 + 1).eraseToAnyPublisher() },
  ]
}
