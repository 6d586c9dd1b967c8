// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Penstock
import PenstockOperators

extension StepOperator {
  static let combining: [StepOperator] = [
    .init("merge", arity: 2, "{0}.merge(with: {1})", { _ in MergeMachine() }) { $0[0].merge(with: $0[1]) },
    .init("zip", arity: 2, "{0}.zip({1}) { $0 &* 5 &+ $1 }", { _ in TupleMachine(.zip) }) {
      $0[0].zip($0[1]) { $0 &* 5 &+ $1 }
    },
    .init(
      "combineLatest", arity: 2, "{0}.combineLatest({1}) { $0 &* 5 &+ $1 }", { _ in TupleMachine(.combineLatest) }
    ) { $0[0].combineLatest($0[1]) { $0 &* 5 &+ $1 } },
    .init("withLatestFrom", arity: 2, "{0}.withLatestFrom({1}) { $0 &* 5 &+ $1 }", { _ in WithLatestMachine() }) {
      $0[0].withLatestFrom($0[1]) { $0 &* 5 &+ $1 }.eraseToAnyPublisher()
    },
    .init("prefix(untilOutputFrom:)", arity: 2, "{0}.prefix(untilOutputFrom: {1})", { _ in PrefixUntilMachine() }) {
      $0[0].prefix(untilOutputFrom: $0[1])
    },
    .init("drop(untilOutputFrom:)", arity: 2, "{0}.drop(untilOutputFrom: {1})", { _ in DropUntilMachine() }) {
      $0[0].drop(untilOutputFrom: $0[1])
    },
    .init(
      "withLatestFrom of two", arity: 3, "{0}.withLatestFrom({1}, {2}) { $0 &* 5 &+ $1.0 &* 3 &+ $1.1 }",
      { _ in WithLatestOfTwoMachine() }
    ) { $0[0].withLatestFrom($0[1], $0[2]) { $0 &* 5 &+ $1.0 &* 3 &+ $1.1 }.eraseToAnyPublisher() },
    .init("amb", arity: 2, "{0}.amb({1})", { _ in AmbMachine() }) { $0[0].amb($0[1]).eraseToAnyPublisher() },
    .init("merge of a list", arity: 2, list + ".merge()", { _ in MergeMachine() }) { [$0[0], $0[1]].merge() },
    .init(
      "zip of a list", arity: 2, list + ".zip().map { $0[0] &* 5 &+ $0[1] }",
      { _ in TupleMachine(.zip, isList: true) }
    ) {
      [$0[0], $0[1]].zip().map { $0[0] &* 5 &+ $0[1] }.eraseToAnyPublisher()
    },
    .init(
      "combineLatest of a list", arity: 2, list + ".combineLatest().map { $0[0] &* 5 &+ $0[1] }",
      { _ in TupleMachine(.combineLatest, isList: true) }
    ) { [$0[0], $0[1]].combineLatest().map { $0[0] &* 5 &+ $0[1] }.eraseToAnyPublisher() },
  ]

  private static let list = "[{0}.eraseToAnyPublisher(), {1}.eraseToAnyPublisher()]"

  static let flattening: [StepOperator] = [
    .init(
      "flatMap", arity: 2, hasInner: true, "{0}.flatMap { v in {1} }", { _ in FlatMapMachine(limit: .unlimited) }
    ) { b in b[0].flatMap { b.inner($0) } },
    .init(
      "flatMap(maxPublishers:)", arity: 2, hasInner: true, "{0}.flatMap(maxPublishers: .max(#)) { v in {1} }",
      { FlatMapMachine(limit: Amount($0)) }
    ) { b in b[0].flatMap(maxPublishers: .max(b.number)) { b.inner($0) } },
    .init(
      "flatMapFirst", arity: 2, hasInner: true, "{0}.flatMapFirst { v in {1} }",
      { _ in FlatMapMachine(limit: .unlimited, isFirst: true) }
    ) { b in b[0].flatMapFirst { b.inner($0) }.eraseToAnyPublisher() },
    .init(
      "switchToLatest", arity: 2, hasInner: true, "{0}.map { v in {1} }.switchToLatest()", { _ in SwitchMachine() }
    ) { b in b[0].map { b.inner($0) }.switchToLatest() },
    .init(
      "flatMapLatest", arity: 2, hasInner: true, "{0}.flatMapLatest { v in {1} }", { _ in SwitchMachine() }
    ) { b in b[0].flatMapLatest { b.inner($0) }.eraseToAnyPublisher() },
    .init(
      "concatMap", arity: 2, hasInner: true, "{0}.concatMap { v in {1} }",
      { _ in FlatMapMachine(limit: Amount(1), holdsBack: true) }
    ) { b in b[0].concatMap { b.inner($0) }.eraseToAnyPublisher() },
    .init(
      "flatMapSequential", arity: 2, hasInner: true, "{0}.flatMapSequential(prefetch: #) { v in {1} }",
      { FlatMapSequentialMachine(limit: .unlimited, prefetch: $0) }
    ) { b in b[0].flatMapSequential(prefetch: b.number) { b.inner($0) }.eraseToAnyPublisher() },
    .init(
      "flatMapSequential(maxPublishers:)", arity: 2, hasInner: true,
      "{0}.flatMapSequential(maxPublishers: .max(#), prefetch: 2) { v in {1} }",
      { FlatMapSequentialMachine(limit: Amount($0), prefetch: 2) }
    ) { b in
      b[0].flatMapSequential(maxPublishers: .max(b.number), prefetch: 2) { b.inner($0) }.eraseToAnyPublisher()
    },
  ]

  /// The number is a time that no other operator of the program has, so that no two signals come at once.
  static let timed: [StepOperator] = [
    .init("delay", "{0}.delay(for: .nanoseconds(#), scheduler: clock)", { DelayMachine($0) }) {
      $0[0].delay(for: .nanoseconds($0.number), scheduler: $0.world.clock)
    },
    .init("debounce", "{0}.debounce(for: .nanoseconds(#), scheduler: clock)", { DebounceMachine($0) }) {
      $0[0].debounce(for: .nanoseconds($0.number), scheduler: $0.world.clock)
    },
  ]
}
