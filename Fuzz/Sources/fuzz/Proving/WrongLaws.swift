// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators

extension Law {
  /// Laws that do not hold.
  static let wrong: [Law] = [
    .init(
      "A prefix of what is filtered is not what is filtered of a prefix.", .unlimited,
      "{0}.filter { $0 % 2 == 0 }.prefix(#n)", "{0}.prefix(#n).filter { $0 % 2 == 0 }",
      { $0[0].filter { $0 % 2 == 0 }.prefix($0.n).eraseToAnyPublisher() },
      { $0[0].prefix($0.n).filter { $0 % 2 == 0 }.eraseToAnyPublisher() }),
    .init(
      "share requests more than is requested of it.", .demand, "{0}.share()", "{0}",
      { $0[0].share().eraseToAnyPublisher() }, { $0[0] }),
    .init(
      "A failure that is replaced is none.", .signals,
      "{0}.replaceError(with: #n).setFailureType(to: ModelError.self)", "{0}",
      { $0[0].replaceError(with: $0.n).setFailureType(to: ModelError.self).eraseToAnyPublisher() }, { $0[0] }),
    .init(
      "append is not commutative.", .unordered, arity: 2, "{0}.append({1})", "{1}.append({0})",
      { $0[0].append($0[1]).eraseToAnyPublisher() }, { $0[1].append($0[0]).eraseToAnyPublisher() }),
    .init(
      "concatMap holds upstream back, and flatMap does not.", .demand, arity: 2, "{0}.concatMap { v in {1} }",
      "{0}.flatMap(maxPublishers: .max(1)) { v in {1} }",
      { s in s[0].concatMap { _ in s[1] }.eraseToAnyPublisher() },
      { s in s[0].flatMap(maxPublishers: .max(1)) { _ in s[1] }.eraseToAnyPublisher() }),
    .init(
      "flatMapSequential keeps the order of upstream, and flatMap that of the deliveries.", .unlimited, arity: 2,
      "{0}.flatMapSequential { v in {1} }", "{0}.flatMap { v in {1} }",
      { s in s[0].flatMapSequential { _ in s[1] }.eraseToAnyPublisher() },
      { s in s[0].flatMap { _ in s[1] }.eraseToAnyPublisher() }),
    .init(
      "A list one after the other is asked in advance, and what is appended is not.", .demand, arity: 2,
      "[{0}.eraseToAnyPublisher(), {1}.eraseToAnyPublisher()].concat()", "{0}.append({1})",
      { [$0[0], $0[1]].concat().eraseToAnyPublisher() }, { $0[0].append($0[1]).eraseToAnyPublisher() }),
    .init(
      "Of nested latest values each has to be there, and of two together the end is that of both.", .signals, arity: 3,
      "{0}.withLatestFrom({1}, {2}) { [$0, $1.0, $1.1].reduce(0) { $0 &* 5 &+ $1 } }",
      "{0}.withLatestFrom({1}) { $0 &* 5 &+ $1 }.withLatestFrom({2}) { $0 &* 5 &+ $1 }",
      { s in
        s[0].withLatestFrom(s[1], s[2]) { [$0, $1.0, $1.1].reduce(0) { $0 &* 5 &+ $1 } }.eraseToAnyPublisher()
      },
      { s in
        s[0].withLatestFrom(s[1]) { $0 &* 5 &+ $1 }.withLatestFrom(s[2]) { $0 &* 5 &+ $1 }
          .eraseToAnyPublisher()
      }),
    .init(
      "The end of events waits until it is requested, and that of ignored failures does not.", .signals,
      "{0}.materialize().values().setFailureType(to: ModelError.self)",
      "{0}.ignoreFailure(setFailureType: ModelError.self)",
      { $0[0].materialize().values().setFailureType(to: ModelError.self).eraseToAnyPublisher() },
      { $0[0].ignoreFailure(setFailureType: ModelError.self).eraseToAnyPublisher() }),
    .init(
      "Two are merged, and of two the faster is chosen.", .unordered, sources: .timed, arity: 2, "{0}.amb({1})",
      "{0}.merge(with: {1})", { $0[0].amb($0[1]).eraseToAnyPublisher() },
      { $0[0].merge(with: $0[1]).eraseToAnyPublisher() }),
    .init(
      "removeAllDuplicates remembers more than the last value.", .unlimited,
      "{0}.map { $0 % 3 }.removeAllDuplicates()", "{0}.map { $0 % 3 }.removeDuplicates()",
      { $0[0].map { $0 % 3 }.removeAllDuplicates().eraseToAnyPublisher() },
      { $0[0].map { $0 % 3 }.removeDuplicates().eraseToAnyPublisher() }),
    .init(
      "An inclusive prefix has one value more than an exclusive one.", .unlimited,
      "{0}.prefix(while: { $0 % 5 != #n }, behavior: .inclusive)", "{0}.prefix { $0 % 5 != #n }",
      { s in s[0].prefix(while: { [n = s.n] in $0 % 5 != n }, behavior: .inclusive).eraseToAnyPublisher() },
      { s in s[0].prefix { [n = s.n] in $0 % 5 != n }.eraseToAnyPublisher() }),
  ]
}
