// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators

extension Law {
  /// One operator by others.
  static let equivalents: [Law] = [
    .init(
      "flatMap is map behind Just.", .unlimited,
      "{0}.flatMap { Just($0 &* #n).setFailureType(to: ModelError.self) }", "{0}.map { $0 &* #n }",
      { s in
        s[0].flatMap { [n = s.n] in Just($0 &* n).setFailureType(to: ModelError.self) }.eraseToAnyPublisher()
      }, { s in s[0].map { [n = s.n] in $0 &* n }.eraseToAnyPublisher() }),
    .init(
      "What is collected is what comes.", .unlimited,
      "{0}.collect().flatMap { $0.publisher.setFailureType(to: ModelError.self) }", "{0}.takeLast(99)",
      {
        $0[0].collect().flatMap { $0.publisher.setFailureType(to: ModelError.self) }.eraseToAnyPublisher()
      }, { $0[0].takeLast(99).eraseToAnyPublisher() }),
    .init(
      "Arrays of several hold what comes.", .unlimited, sources: .timed,
      "{0}.collect(#n).flatMap { $0.publisher.setFailureType(to: ModelError.self) }.count()", "{0}.count()",
      {
        $0[0].collect($0.n).flatMap { $0.publisher.setFailureType(to: ModelError.self) }.count().eraseToAnyPublisher()
      }, { $0[0].count().eraseToAnyPublisher() }),
    .init(
      "first is a prefix of one.", .unlimited, "{0}.first()", "{0}.prefix(1)",
      { $0[0].first().eraseToAnyPublisher() }, { $0[0].prefix(1).eraseToAnyPublisher() }),
    .init(
      "last is the last one.", .unlimited, "{0}.last()", "{0}.takeLast(1)", { $0[0].last().eraseToAnyPublisher() },
      { $0[0].takeLast(1).eraseToAnyPublisher() }),
    .init(
      "first(where:) is the first that is left.", .demand, "{0}.first { $0 > #n }", "{0}.filter { $0 > #n }.first()",
      { s in s[0].first { [n = s.n] in $0 > n }.eraseToAnyPublisher() },
      { s in s[0].filter { [n = s.n] in $0 > n }.first().eraseToAnyPublisher() }),
    .init(
      "last(where:) is the last that is left.", .demand, "{0}.last { $0 > #n }", "{0}.filter { $0 > #n }.last()",
      { s in s[0].last { [n = s.n] in $0 > n }.eraseToAnyPublisher() },
      { s in s[0].filter { [n = s.n] in $0 > n }.last().eraseToAnyPublisher() }),
    .init(
      "output(in:) is a prefix behind what is dropped.", .unlimited, "{0}.output(in: #n..<(#n + #m))",
      "{0}.dropFirst(#n).prefix(#m)", { $0[0].output(in: $0.n..<($0.n + $0.m)).eraseToAnyPublisher() },
      { $0[0].dropFirst($0.n).prefix($0.m).eraseToAnyPublisher() }),
    .init(
      "ignoreOutput is a filter that nothing passes.", .unlimited, "{0}.ignoreOutput().map { _ in 0 }",
      "{0}.filter { _ in false }", { $0[0].ignoreOutput().map(unreached).eraseToAnyPublisher() },
      { $0[0].filter { _ in false }.eraseToAnyPublisher() }),
    .init(
      "compactMap is a map behind a filter.", .demand, "{0}.compactMap { $0 > #n ? $0 &* #m : nil }",
      "{0}.filter { $0 > #n }.map { $0 &* #m }",
      { s in s[0].compactMap { [n = s.n, m = s.m] in $0 > n ? $0 &* m : nil }.eraseToAnyPublisher() },
      { s in s[0].filter { [n = s.n] in $0 > n }.map { [m = s.m] in $0 &* m }.eraseToAnyPublisher() }),
    .init(
      "pairwise is scan.", .unlimited, "{0}.pairwise().map { $1 &- $0 }",
      "{0}.scan((0, 0)) { ($0.1, $1) }.dropFirst().map { $0.1 &- $0.0 }",
      { $0[0].pairwise().map { $1 &- $0 }.eraseToAnyPublisher() },
      {
        $0[0].scan((0, 0)) { ($0.1, $1) }.dropFirst().map { $0.1 &- $0.0 }.eraseToAnyPublisher()
      }),
    .init(
      "Every other of the interspersed values is the values.", .unlimited,
      "{0}.intersperse(0).collect().map { $0.enumerated().filter { $0.offset.isMultiple(of: 2) }.count }",
      "{0}.count()",
      {
        $0[0].intersperse(0).collect()
          .map { $0.enumerated().filter { $0.offset.isMultiple(of: 2) }.count }.eraseToAnyPublisher()
      }, { $0[0].count().eraseToAnyPublisher() }),
  ]
}
