// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators

extension Law {
  /// Operators that Combine does not have, on one stream, expressed by those that it has: value by value, so demand is
  /// the same.
  static let valuewise: [Law] = [
    .init(
      "enumerated is scan with a number.", .demand, "{0}.enumerated().map { $0.index &* #n &+ $0.element }",
      "{0}.scan((-1, 0)) { ($0.0 + 1, $1) }.map { $0.0 &* #n &+ $0.1 }",
      { s in s[0].enumerated().map { [n = s.n] in $0.index &* n &+ $0.element }.eraseToAnyPublisher() },
      { s in s[0].scan((-1, 0)) { ($0.0 + 1, $1) }.map { [n = s.n] in $0.0 &* n &+ $0.1 }.eraseToAnyPublisher() }),
    // Sources that send at their own times: `zip` keeps what the range delivers at once, and 99 are enough for them.
    .init(
      "enumerated is a zip with numbers.", .unlimited, sources: .timed,
      "{0}.enumerated().map { $0.index &* #n &+ $0.element }",
      "(0..<99).publisher.setFailureType(to: ModelError.self).zip({0}) { $0 &* #n &+ $1 }",
      { s in s[0].enumerated().map { [n = s.n] in $0.index &* n &+ $0.element }.eraseToAnyPublisher() },
      { s in
        (0..<99).publisher.setFailureType(to: ModelError.self).zip(s[0]) { [n = s.n] in $0 &* n &+ $1 }
          .eraseToAnyPublisher()
      }),
    .init(
      "Two neighbours are a pair.", .demand, "{0}.nwise(2).map { $0[1] &- $0[0] &* #n }",
      "{0}.pairwise().map { $1 &- $0 &* #n }",
      { s in s[0].nwise(2).map { [n = s.n] in $0[1] &- $0[0] &* n }.eraseToAnyPublisher() },
      { s in s[0].pairwise().map { [n = s.n] in $1 &- $0 &* n }.eraseToAnyPublisher() }),
    .init(
      "Arrays of one neighbour are the values.", .demand, "{0}.nwise(1).map { $0[0] }", "{0}",
      { $0[0].nwise(1).map { $0[0] }.eraseToAnyPublisher() }, { $0[0] }),
    .init(
      "nwise is scan over arrays, without those that are too short.", .demand,
      "{0}.nwise(#n).map { $0.reduce(0) { $0 &* 3 &+ $1 } }",
      "{0}.scan([Int]()) { ($0 + [$1]).suffix(#n) }.filter { $0.count == #n }.map { $0.reduce(0) { $0 &* 3 &+ $1 } }",
      { $0[0].nwise($0.n).map { $0.reduce(0) { $0 &* 3 &+ $1 } }.eraseToAnyPublisher() },
      { s in
        s[0].scan([Int]()) { [n = s.n] in ($0 + [$1]).suffix(n) }.filter { [n = s.n] in $0.count == n }
          .map { $0.reduce(0) { $0 &* 3 &+ $1 } }.eraseToAnyPublisher()
      }),
    .init(
      "combinePrevious is scan.", .demand, "{0}.combinePrevious(#n).map { $1 &- $0 &* #m }",
      "{0}.scan((0, #n)) { ($0.1, $1) }.map { $1 &- $0 &* #m }",
      { s in s[0].combinePrevious(s.n).map { [m = s.m] in $1 &- $0 &* m }.eraseToAnyPublisher() },
      { s in s[0].scan((0, s.n)) { ($0.1, $1) }.map { [m = s.m] in $1 &- $0 &* m }.eraseToAnyPublisher() }),
    // Upstream is not subscribed to before the prepended values have been requested.
    .init(
      "combinePrevious is pairwise behind the initial value.", .unlimited,
      "{0}.combinePrevious(#n).map { $1 &- $0 &* #m }", "{0}.prepend(#n).pairwise().map { $1 &- $0 &* #m }",
      { s in s[0].combinePrevious(s.n).map { [m = s.m] in $1 &- $0 &* m }.eraseToAnyPublisher() },
      { s in s[0].prepend(s.n).pairwise().map { [m = s.m] in $1 &- $0 &* m }.eraseToAnyPublisher() }),
    .init(
      "A result that is updated in place is one that is made anew.", .demand,
      "{0}.scan(into: #n) { $0 = $0 &* 3 &+ $1 }", "{0}.scan(#n) { $0 &* 3 &+ $1 }",
      { $0[0].scan(into: $0.n) { $0 = $0 &* 3 &+ $1 }.eraseToAnyPublisher() },
      { $0[0].scan($0.n) { $0 &* 3 &+ $1 }.eraseToAnyPublisher() }),
    .init(
      "Equal values are those that a predicate finds equal.", .demand, "{0}.removeAllDuplicates()",
      "{0}.removeAllDuplicates { $0 == $1 }", { $0[0].removeAllDuplicates().eraseToAnyPublisher() },
      { $0[0].removeAllDuplicates { $0 == $1 }.eraseToAnyPublisher() }),
    .init(
      "removeAllDuplicates is a set in scan, and what is new to it.", .demand,
      "{0}.map { $0 % (#n + 3) }.removeAllDuplicates()",
      "{0}.map { $0 % (#n + 3) }.scan((Set<Int>(), Int?.none)) { ($0.0.union([$1]), $0.0.contains($1) ? nil : $1) }"
        + ".compactMap { $0.1 }",
      { s in s[0].map { [n = s.n] in $0 % (n + 3) }.removeAllDuplicates().eraseToAnyPublisher() },
      { s in
        s[0].map { [n = s.n] in $0 % (n + 3) }
          .scan((Set<Int>(), Int?.none)) { ($0.0.union([$1]), $0.0.contains($1) ? nil : $1) }.compactMap { $0.1 }
          .eraseToAnyPublisher()
      }),
    .init(
      "toggle is map.", .demand, "{0}.map { $0 > #n }.toggle().map { $0 ? 1 : 0 }", "{0}.map { $0 > #n ? 0 : 1 }",
      { s in s[0].map { [n = s.n] in $0 > n }.toggle().map { $0 ? 1 : 0 }.eraseToAnyPublisher() },
      { s in s[0].map { [n = s.n] in $0 > n ? 0 : 1 }.eraseToAnyPublisher() }),
    .init(
      "mapToValue is map.", .demand, "{0}.mapToValue(#n)", "{0}.map { _ in #n }",
      { $0[0].mapToValue($0.n).eraseToAnyPublisher() },
      { s in s[0].map { [n = s.n] _ in n }.eraseToAnyPublisher() }),
    .init(
      "unwrap is compactMap.", .demand, "{0}.map { $0 > #n ? $0 : nil }.unwrap()",
      "{0}.compactMap { $0 > #n ? $0 : nil }",
      { s in s[0].map { [n = s.n] in $0 > n ? $0 : nil }.unwrap().eraseToAnyPublisher() },
      { s in s[0].compactMap { [n = s.n] in $0 > n ? $0 : nil }.eraseToAnyPublisher() }),
    .init(
      "mapMany and filterMany are map.", .demand,
      "{0}.collect(#n).filterMany { $0 > #m }.mapMany { $0 &+ #m }.map { $0.reduce(0, &+) }",
      "{0}.collect(#n).map { $0.reduce(0) { $1 > #m ? $0 &+ $1 &+ #m : $0 } }",
      { s in
        s[0].collect(s.n).filterMany { [m = s.m] in $0 > m }.mapMany { [m = s.m] in $0 &+ m }.map { $0.reduce(0, &+) }
          .eraseToAnyPublisher()
      },
      { s in
        s[0].collect(s.n).map { [m = s.m] in $0.reduce(0) { $1 > m ? $0 &+ $1 &+ m : $0 } }.eraseToAnyPublisher()
      }),
    .init(
      "An exclusive prefix is Combine's.", .demand, "{0}.prefix(while: { $0 % 5 != #n }, behavior: .exclusive)",
      "{0}.prefix { $0 % 5 != #n }",
      { s in s[0].prefix(while: { [n = s.n] in $0 % 5 != n }, behavior: .exclusive).eraseToAnyPublisher() },
      { s in s[0].prefix { [n = s.n] in $0 % 5 != n }.eraseToAnyPublisher() }),
    // `flatMap` asks for everything, and `materialize` keeps the end until it is requested.
    .init(
      "An inclusive prefix puts the end behind a value.", .unlimited,
      "{0}.prefix(while: { $0 % 5 != #n }, behavior: .inclusive)",
      "{0}.materialize().flatMap { event in var events = [event]; if case .value(let value) = event, value % 5 == #n "
        + "{ events.append(.completion(.finished)) }; return events.publisher }.dematerialize()",
      { s in s[0].prefix(while: { [n = s.n] in $0 % 5 != n }, behavior: .inclusive).eraseToAnyPublisher() },
      { s in
        s[0].materialize().flatMap { [n = s.n] event in
          var events = [event]
          if case .value(let value) = event, value % 5 == n { events.append(.completion(.finished)) }
          return events.publisher
        }.dematerialize().eraseToAnyPublisher()
      }),
    // Sources that send at their own times, since `flatMap` asks at once for the values that `intersperse` asks for one
    // by one.
    .init(
      "intersperse is flatMap with two values for all but the first.", .unlimited, sources: .timed,
      "{0}.intersperse(#n)",
      "{0}.enumerated().flatMap { ($0.index == 0 ? [$0.element] : [#n, $0.element]).publisher"
        + ".setFailureType(to: ModelError.self) }",
      { $0[0].intersperse($0.n).eraseToAnyPublisher() },
      { s in
        s[0].enumerated().flatMap { [n = s.n] in
          ($0.index == 0 ? [$0.element] : [n, $0.element]).publisher.setFailureType(to: ModelError.self)
        }.eraseToAnyPublisher()
      }),
    .init(
      "A resource changes nothing.", .demand,
      "Publishers.using(resource: { 0 }, cleanup: { _ in }, publisher: { _ in {0} })", "{0}",
      { s in
        Publishers.using(resource: { 0 }, cleanup: { _ in }, publisher: { _ in s[0] }).eraseToAnyPublisher()
      }, { $0[0] }),
  ]
}
