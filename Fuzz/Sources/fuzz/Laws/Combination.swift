// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock

extension Law {
  /// Several upstreams, in other orders and other nests.
  static let combination: [Law] = [
    .init(
      "merge is commutative.", .unordered, sources: .timed, arity: 2, "{0}.merge(with: {1})", "{1}.merge(with: {0})",
      { $0[0].merge(with: $0[1]).eraseToAnyPublisher() }, { $0[1].merge(with: $0[0]).eraseToAnyPublisher() }),
    .init(
      "merge is associative.", .unordered, arity: 3, "{0}.merge(with: {1}).merge(with: {2})",
      "{0}.merge(with: {1}.merge(with: {2}).eraseToAnyPublisher())",
      { $0[0].merge(with: $0[1]).merge(with: $0[2]).eraseToAnyPublisher() },
      { $0[0].merge(with: $0[1].merge(with: $0[2]).eraseToAnyPublisher()).eraseToAnyPublisher() }),
    .init(
      "A merge of many is a merge of two and one.", .unordered, arity: 3,
      "Publishers.MergeMany({0}, {1}, {2})", "{0}.merge(with: {1}).eraseToAnyPublisher().merge(with: {2})",
      { Publishers.MergeMany($0[0], $0[1], $0[2]).eraseToAnyPublisher() },
      { $0[0].merge(with: $0[1]).eraseToAnyPublisher().merge(with: $0[2]).eraseToAnyPublisher() }),
    .init(
      "zip is associative up to nesting.", .unlimited, sources: [.timed, .finishing], arity: 3,
      "{0}.zip({1}) { $0 &* 5 &+ $1 }.zip({2}) { $0 &* 3 &+ $1 }",
      "{0}.zip({1}.zip({2}) { ($0, $1) }) { ($0 &* 5 &+ $1.0) &* 3 &+ $1.1 }",
      { $0[0].zip($0[1]) { $0 &* 5 &+ $1 }.zip($0[2]) { $0 &* 3 &+ $1 }.eraseToAnyPublisher() },
      { $0[0].zip($0[1].zip($0[2]) { ($0, $1) }) { ($0 &* 5 &+ $1.0) &* 3 &+ $1.1 }.eraseToAnyPublisher() }),
    .init(
      "A zip of three is a zip of two and one.", .unlimited, sources: [.timed, .finishing], arity: 3,
      "{0}.zip({1}, {2}) { ($0 &* 5 &+ $1) &* 3 &+ $2 }",
      "{0}.zip({1}) { $0 &* 5 &+ $1 }.zip({2}) { $0 &* 3 &+ $1 }",
      { $0[0].zip($0[1], $0[2]) { ($0 &* 5 &+ $1) &* 3 &+ $2 }.eraseToAnyPublisher() },
      { $0[0].zip($0[1]) { $0 &* 5 &+ $1 }.zip($0[2]) { $0 &* 3 &+ $1 }.eraseToAnyPublisher() }),
    .init(
      "zip is commutative with its arguments changed over.", .unlimited, sources: [.timed, .finishing], arity: 2,
      "{0}.zip({1}) { $0 &* 5 &+ $1 }",
      "{1}.zip({0}) { $1 &* 5 &+ $0 }", { $0[0].zip($0[1]) { $0 &* 5 &+ $1 }.eraseToAnyPublisher() },
      { $0[1].zip($0[0]) { $1 &* 5 &+ $0 }.eraseToAnyPublisher() }),
    .init(
      "combineLatest is commutative with its arguments changed over.", .unlimited, sources: .timed, arity: 2,
      "{0}.combineLatest({1}) { $0 &* 5 &+ $1 }", "{1}.combineLatest({0}) { $1 &* 5 &+ $0 }",
      { $0[0].combineLatest($0[1]) { $0 &* 5 &+ $1 }.eraseToAnyPublisher() },
      { $0[1].combineLatest($0[0]) { $1 &* 5 &+ $0 }.eraseToAnyPublisher() }),
    .init(
      "A combineLatest of three is one of two and one.", .unlimited, sources: .timed, arity: 3,
      "{0}.combineLatest({1}, {2}) { ($0 &* 5 &+ $1) &* 3 &+ $2 }",
      "{0}.combineLatest({1}) { $0 &* 5 &+ $1 }.combineLatest({2}) { $0 &* 3 &+ $1 }",
      { $0[0].combineLatest($0[1], $0[2]) { ($0 &* 5 &+ $1) &* 3 &+ $2 }.eraseToAnyPublisher() },
      {
        $0[0].combineLatest($0[1]) { $0 &* 5 &+ $1 }.combineLatest($0[2]) { $0 &* 3 &+ $1 }.eraseToAnyPublisher()
      }),
  ]
}
