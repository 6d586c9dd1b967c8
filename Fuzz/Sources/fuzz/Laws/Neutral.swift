// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators

extension Law {
  /// Operators that change nothing.
  static let neutral: [Law] = [
    .init(
      "Erasing changes nothing.", .demand, "{0}.eraseToAnyPublisher()", "{0}", { $0[0].eraseToAnyPublisher() },
      { $0[0] }),
    .init(
      "setFailureType changes nothing.", .demand, "{0}.replaceError(with: #n).setFailureType(to: ModelError.self)",
      "{0}.replaceError(with: #n).map { $0 }.setFailureType(to: ModelError.self).map { $0 }",
      { $0[0].replaceError(with: $0.n).setFailureType(to: ModelError.self).eraseToAnyPublisher() },
      { $0[0].replaceError(with: $0.n).map { $0 }.setFailureType(to: ModelError.self).map { $0 }.eraseToAnyPublisher() }
    ),
    .init(
      "mapError that keeps the error changes nothing.", .demand, "{0}.mapError { $0 }", "{0}",
      { $0[0].mapError { $0 }.eraseToAnyPublisher() }, { $0[0] }),
    .init(
      "handleEvents changes nothing.", .demand, "{0}.handleEvents(receiveOutput: { _ in })", "{0}",
      { $0[0].handleEvents(receiveOutput: { _ in }).eraseToAnyPublisher() }, { $0[0] }),
    .init(
      "breakpoint changes nothing.", .demand, "{0}.breakpoint(receiveOutput: { _ in false })", "{0}",
      { $0[0].breakpoint(receiveOutput: { _ in false }).eraseToAnyPublisher() }, { $0[0] }),
    .init(
      "Deferred changes nothing.", .demand, "Deferred { {0} }", "{0}",
      { s in Deferred { s[0] }.eraseToAnyPublisher() }, { $0[0] }),
    .init(
      "tryMap that does not throw is map.", .demand, "{0}.tryMap { $0 &+ #n }.mapError { _ in ModelError() }",
      "{0}.map { $0 &+ #n }",
      { s in s[0].tryMap { [n = s.n] in $0 &+ n }.mapError { _ in ModelError() }.eraseToAnyPublisher() },
      { s in s[0].map { [n = s.n] in $0 &+ n }.eraseToAnyPublisher() }),
    .init(
      "Dropping while never changes nothing.", .demand, "{0}.drop { _ in false }", "{0}",
      { $0[0].drop { _ in false }.eraseToAnyPublisher() }, { $0[0] }),
    .init(
      "A prefix while always changes nothing.", .demand, "{0}.prefix { _ in true }", "{0}",
      { $0[0].prefix { _ in true }.eraseToAnyPublisher() }, { $0[0] }),
    .init(
      "Arrays of one are the values.", .demand, "{0}.collect(1).map { $0[0] }", "{0}",
      { $0[0].collect(1).map { $0[0] }.eraseToAnyPublisher() }, { $0[0] }),
    .init(
      "dematerialize undoes materialize.", .unlimited, "{0}.materialize().dematerialize()", "{0}",
      { $0[0].materialize().dematerialize().eraseToAnyPublisher() }, { $0[0] }),
    .init(
      "Each value as a publisher is the values.", .unlimited,
      "{0}.flatMap { Just($0).setFailureType(to: ModelError.self) }", "{0}",
      { $0[0].flatMap { Just($0).setFailureType(to: ModelError.self) }.eraseToAnyPublisher() }, { $0[0] }),
    .init(
      "Each value as the latest publisher is the values.", .unlimited,
      "{0}.map { Just($0).setFailureType(to: ModelError.self) }.switchToLatest()", "{0}",
      { $0[0].map { Just($0).setFailureType(to: ModelError.self) }.switchToLatest().eraseToAnyPublisher() },
      { $0[0] }),
    .init(
      "Merging nothing changes nothing.", .unlimited, "{0}.merge(with: Empty())", "{0}",
      { $0[0].merge(with: Empty()).eraseToAnyPublisher() }, { $0[0] }),
  ]
}
