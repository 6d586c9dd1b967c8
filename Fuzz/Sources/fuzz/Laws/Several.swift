// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators

extension Law {
  private static let two = "[{0}.eraseToAnyPublisher(), {1}.eraseToAnyPublisher()]"
  private static let three =
    "[{0}.eraseToAnyPublisher(), {1}.eraseToAnyPublisher(), {2}.eraseToAnyPublisher()]"

  /// Operators that Combine does not have, on several streams.
  static let several: [Law] = [
    .init(
      "A list of two is merged as two.", .demand, arity: 2, two + ".merge()", "{0}.merge(with: {1})",
      { [$0[0], $0[1]].merge().eraseToAnyPublisher() }, { $0[0].merge(with: $0[1]).eraseToAnyPublisher() }),
    .init(
      "A list of two is zipped as two.", .demand, arity: 2, two + ".zip().map { $0[0] &* 5 &+ $0[1] }",
      "{0}.zip({1}) { $0 &* 5 &+ $1 }",
      { [$0[0], $0[1]].zip().map(folded).eraseToAnyPublisher() },
      { $0[0].zip($0[1]) { $0 &* 5 &+ $1 }.eraseToAnyPublisher() }),
    .init(
      "A list of three is zipped as three.", .demand, arity: 3,
      three + ".zip().map { $0.reduce(0) { $0 &* 5 &+ $1 } }",
      "{0}.zip({1}, {2}) { [$0, $1, $2].reduce(0) { $0 &* 5 &+ $1 } }",
      { [$0[0], $0[1], $0[2]].zip().map(folded).eraseToAnyPublisher() },
      { $0[0].zip($0[1], $0[2]) { folded([$0, $1, $2]) }.eraseToAnyPublisher() }),
    .init(
      "A list of two is combined as two.", .demand, arity: 2, two + ".combineLatest().map { $0[0] &* 5 &+ $0[1] }",
      "{0}.combineLatest({1}) { $0 &* 5 &+ $1 }",
      { [$0[0], $0[1]].combineLatest().map(folded).eraseToAnyPublisher() },
      { $0[0].combineLatest($0[1]) { $0 &* 5 &+ $1 }.eraseToAnyPublisher() }),
    .init(
      "A list of three is combined as three.", .demand, arity: 3,
      three + ".combineLatest().map { $0.reduce(0) { $0 &* 5 &+ $1 } }",
      "{0}.combineLatest({1}, {2}) { [$0, $1, $2].reduce(0) { $0 &* 5 &+ $1 } }",
      { [$0[0], $0[1], $0[2]].combineLatest().map(folded).eraseToAnyPublisher() },
      { $0[0].combineLatest($0[1], $0[2]) { folded([$0, $1, $2]) }.eraseToAnyPublisher() }),
    .init(
      "Five are zipped as a list of five.", .demand, arity: 3,
      "{0}.zip({1}, {2}, {0}, {1}).map { [$0, $1, $2, $3, $4].reduce(0) { $0 &* 5 &+ $1 } }",
      "[{0}, {1}, {2}, {0}, {1}].map { $0.eraseToAnyPublisher() }.zip()"
        + ".map { $0.reduce(0) { $0 &* 5 &+ $1 } }",
      {
        $0[0].zip($0[1], $0[2], $0[0], $0[1])
          .map { folded([$0, $1, $2, $3, $4]) }.eraseToAnyPublisher()
      }, { [$0[0], $0[1], $0[2], $0[0], $0[1]].zip().map(folded).eraseToAnyPublisher() }),
    .init(
      "Five are combined as a list of five.", .demand, arity: 3,
      "{0}.combineLatest({1}, {2}, {0}, {1}).map { [$0, $1, $2, $3, $4].reduce(0) { $0 &* 5 &+ $1 } }",
      "[{0}, {1}, {2}, {0}, {1}].map { $0.eraseToAnyPublisher() }.combineLatest()"
        + ".map { $0.reduce(0) { $0 &* 5 &+ $1 } }",
      {
        $0[0].combineLatest($0[1], $0[2], $0[0], $0[1])
          .map { folded([$0, $1, $2, $3, $4]) }.eraseToAnyPublisher()
      }, { [$0[0], $0[1], $0[2], $0[0], $0[1]].combineLatest().map(folded).eraseToAnyPublisher() }),
    // `concat` asks each for a value in advance, and `append` only for the demand.
    .init(
      "A list of two one after the other is one appended to the other.", .unlimited, arity: 2, two + ".concat()",
      "{0}.append({1})", { [$0[0], $0[1]].concat().eraseToAnyPublisher() },
      { $0[0].append($0[1]).eraseToAnyPublisher() }),
    .init(
      "concat is concatMap over places.", .demand, arity: 3, three + ".concat()",
      "(0...2).publisher.setFailureType(to: ModelError.self).concatMap { " + three + "[$0] }",
      { [$0[0], $0[1], $0[2]].concat().eraseToAnyPublisher() },
      { s in
        (0...2).publisher.setFailureType(to: ModelError.self).concatMap { s[$0] }.eraseToAnyPublisher()
      }),
    .init(
      "The first of a list is the first of nested pairs.", .demand, arity: 3, three + ".amb()",
      "{0}.amb({1}).amb({2})", { [$0[0], $0[1], $0[2]].amb().eraseToAnyPublisher() },
      { $0[0].amb($0[1]).amb($0[2]).eraseToAnyPublisher() }),
    .init(
      "What is faster than nothing is itself.", .demand, "{0}.amb(Empty(completeImmediately: false))", "{0}",
      { $0[0].amb(Empty(completeImmediately: false)).eraseToAnyPublisher() }, { $0[0] }),
    .init(
      "What is faster than nothing before it is itself.", .demand,
      "Empty<Int, ModelError>(completeImmediately: false).amb({0})", "{0}",
      { Empty<Int, ModelError>(completeImmediately: false).amb($0[0]).eraseToAnyPublisher() }, { $0[0] }),
    // The second subscription exists, and its source is asked as well, until the first delivers.
    .init(
      "Of two of the same the first is faster.", .signals, "{0}.amb({0})", "{0}",
      { $0[0].amb($0[0]).eraseToAnyPublisher() }, { $0[0] }),
    // At separate times, so that the two are never both first.
    .init(
      "The faster one is the same in either order.", .demand, sources: .timed, arity: 2, "{0}.amb({1})", "{1}.amb({0})",
      { $0[0].amb($0[1]).eraseToAnyPublisher() }, { $0[1].amb($0[0]).eraseToAnyPublisher() }),
    .init(
      "The latest of two are the latest of their combination.", .demand, arity: 3,
      "{0}.withLatestFrom({1}, {2}) { [$0, $1.0, $1.1].reduce(0) { $0 &* 5 &+ $1 } }",
      "{0}.withLatestFrom({1}.combineLatest({2})) { [$0, $1.0, $1.1].reduce(0) { $0 &* 5 &+ $1 } }",
      { $0[0].withLatestFrom($0[1], $0[2]) { folded([$0, $1.0, $1.1]) }.eraseToAnyPublisher() },
      { $0[0].withLatestFrom($0[1].combineLatest($0[2])) { folded([$0, $1.0, $1.1]) }.eraseToAnyPublisher() }),
    // With a value at once: if they are nested, each one that ends without a value ends the stream; if they are
    // combined, all have to.
    .init(
      "The latest of two are those of one behind the other.", .signals, arity: 3,
      "{0}.withLatestFrom({1}.prepend(#n), {2}.prepend(#m)) { [$0, $1.0, $1.1].reduce(0) { $0 &* 5 &+ $1 } }",
      "{0}.withLatestFrom({1}.prepend(#n)) { (a: Int, b: Int) -> Int in a &* 5 &+ b }"
        + ".withLatestFrom({2}.prepend(#m)) { (a: Int, b: Int) -> Int in a &* 5 &+ b }",
      {
        $0[0].withLatestFrom($0[1].prepend($0.n), $0[2].prepend($0.m)) { folded([$0, $1.0, $1.1]) }
          .eraseToAnyPublisher()
      },
      {
        $0[0].withLatestFrom($0[1].prepend($0.n)) { folded([$0, $1]) }
          .withLatestFrom($0[2].prepend($0.m)) { folded([$0, $1]) }.eraseToAnyPublisher()
      }),
    .init(
      "The latest alone is what a closure makes of both.", .demand, arity: 2, "{0}.withLatestFrom({1})",
      "{0}.withLatestFrom({1}) { $1 }", { $0[0].withLatestFrom($0[1]).eraseToAnyPublisher() },
      { $0[0].withLatestFrom($0[1]) { $1 }.eraseToAnyPublisher() }),
    .init(
      "Both are true if the latest are.", .demand, arity: 2,
      "{0}.map { $0 > #n }.and({1}.map { $0 > #m }).map { $0 ? 1 : 0 }",
      "{0}.combineLatest({1}) { $0 > #n && $1 > #m ? 1 : 0 }",
      { s in
        s[0].map { [n = s.n] in $0 > n }.and(s[1].map { [m = s.m] in $0 > m }).map { $0 ? 1 : 0 }.eraseToAnyPublisher()
      },
      { s in s[0].combineLatest(s[1]) { [n = s.n, m = s.m] in $0 > n && $1 > m ? 1 : 0 }.eraseToAnyPublisher() }),
    .init(
      "One is true if not both are false.", .demand, arity: 2,
      "{0}.map { $0 > #n }.or({1}.map { $0 > #m }).map { $0 ? 1 : 0 }",
      "{0}.map { $0 > #n }.not().and({1}.map { $0 > #m }.not()).not().map { $0 ? 1 : 0 }",
      { s in
        s[0].map { [n = s.n] in $0 > n }.or(s[1].map { [m = s.m] in $0 > m }).map { $0 ? 1 : 0 }.eraseToAnyPublisher()
      },
      { s in
        s[0].map { [n = s.n] in $0 > n }.not().and(s[1].map { [m = s.m] in $0 > m }.not()).not().map { $0 ? 1 : 0 }
          .eraseToAnyPublisher()
      }),
  ]

  /// The fold of the texts; a function, since the compiler takes long for that many closures.
  private static func folded(_ values: [Int]) -> Int { values.reduce(0) { $0 &* 5 &+ $1 } }

  private static let each = "[v, v &* #n].publisher.setFailureType(to: ModelError.self)"

  /// A value and another one, at once.
  private static func pair(_ value: Int, _ n: Int) -> some Publisher<Int, ModelError> {
    [value, value &* n].publisher.setFailureType(to: ModelError.self)
  }

  /// Operators that Combine does not have, which make publishers of values.
  static let flattening: [Law] = [
    // `concatMap` holds upstream back until its values are delivered: with less demand upstream is asked later, and a
    // subject, which drops values without demand, drops other ones.
    .init(
      "concatMap is flatMap with one at a time, where everything is requested.", .unlimited, arity: 2,
      "{0}.concatMap { v in {1} }", "{0}.flatMap(maxPublishers: .max(1)) { v in {1} }",
      { s in s[0].concatMap { _ in s[1] }.eraseToAnyPublisher() },
      { s in s[0].flatMap(maxPublishers: .max(1)) { _ in s[1] }.eraseToAnyPublisher() }),
    // Without failures: a failure that comes while a value waits overtakes it, and itself waits if upstream has not
    // been asked for the values before it.
    .init(
      "concatMap is flatMap with one at a time, behind what keeps everything.", .signals, sources: .finishing,
      "{0}.buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest).concatMap { v in \(each) }",
      "{0}.buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest)"
        + ".flatMap(maxPublishers: .max(1)) { v in \(each) }",
      { s in
        s[0].buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest)
          .concatMap { [n = s.n] in pair($0, n) }.eraseToAnyPublisher()
      },
      { s in
        s[0].buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest)
          .flatMap(maxPublishers: .max(1)) { [n = s.n] in pair($0, n) }.eraseToAnyPublisher()
      }),
    .init(
      "flatMapLatest is switchToLatest behind map.", .demand, arity: 2, "{0}.flatMapLatest { v in {1} }",
      "{0}.map { v in {1} }.switchToLatest()", { s in s[0].flatMapLatest { _ in s[1] }.eraseToAnyPublisher() },
      { s in s[0].map { _ in s[1] }.switchToLatest().eraseToAnyPublisher() }),
    // `concatMap` asks for one value at a time. Sources that send at their own times do not see the difference.
    .init(
      "flatMapSequential over publishers that deliver at once is concatMap.", .unlimited, sources: .timed,
      "{0}.flatMapSequential { v in \(each) }", "{0}.concatMap { v in \(each) }",
      { s in s[0].flatMapSequential { [n = s.n] in pair($0, n) }.eraseToAnyPublisher() },
      { s in s[0].concatMap { [n = s.n] in pair($0, n) }.eraseToAnyPublisher() }),
    .init(
      "flatMapSequential over publishers that deliver at once is flatMap.", .unlimited,
      "{0}.flatMapSequential { v in \(each) }", "{0}.flatMap { v in \(each) }",
      { s in s[0].flatMapSequential { [n = s.n] in pair($0, n) }.eraseToAnyPublisher() },
      { s in s[0].flatMap { [n = s.n] in pair($0, n) }.eraseToAnyPublisher() }),
    .init(
      "flatMapSequential of one at a time is concatMap.", .demand,
      "{0}.flatMapSequential(maxPublishers: .max(1), prefetch: 1) { v in \(each) }", "{0}.concatMap { v in \(each) }",
      { s in
        s[0].flatMapSequential(maxPublishers: .max(1), prefetch: 1) { [n = s.n] in pair($0, n) }.eraseToAnyPublisher()
      }, { s in s[0].concatMap { [n = s.n] in pair($0, n) }.eraseToAnyPublisher() }),
    // `concatMap` asks the publisher that it runs for everything when everything is requested; `flatMapSequential` asks
    // for one value after the other.
    .init(
      "flatMapSequential of one at a time is concatMap, whatever the publishers are.", .signals, sources: .timed,
      arity: 2, "{0}.flatMapSequential(maxPublishers: .max(1), prefetch: 1) { v in {1} }",
      "{0}.concatMap { v in {1} }",
      { s in
        s[0].flatMapSequential(maxPublishers: .max(1), prefetch: 1) { _ in s[1] }.eraseToAnyPublisher()
      }, { s in s[0].concatMap { _ in s[1] }.eraseToAnyPublisher() }),
  ]
}
