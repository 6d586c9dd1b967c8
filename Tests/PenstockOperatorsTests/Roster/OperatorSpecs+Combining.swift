// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import TestSupport

extension OperatorSpec {
  /// The operators with several upstreams, and those that make publishers, that Combine does not have.
  static let beyondCombining: [OperatorSpec] = [
    .init("concatMap", requests: .oneByOne, traits: [.losesValuesWithFailure]) {
      $0.concatMap { Just($0).setFailureType(to: TestError.self) }.eraseToAnyPublisher()
    },
    .init("concatMap, two each", requests: .oneByOne, traits: [.losesValuesWithFailure]) {
      $0.concatMap { [$0, -$0].publisher.setFailureType(to: TestError.self) }.filter { $0 > 0 }.eraseToAnyPublisher()
    },
    .init("flatMapSequential", requests: .more, traits: [.losesValuesWithFailure, .buffers]) {
      $0.flatMapSequential { Just($0).setFailureType(to: TestError.self) }.eraseToAnyPublisher()
    },
    .init("flatMapSequential, two at a time", requests: .more, traits: [.losesValuesWithFailure, .buffers]) {
      $0.flatMapSequential(maxPublishers: .max(2), prefetch: 1) { Just($0).setFailureType(to: TestError.self) }
        .eraseToAnyPublisher()
    },
    .init("expand") { $0.expand { _ in Empty<Int, TestError>() }.eraseToAnyPublisher() },
    .init("expand, one at a time", requests: .oneByOne, traits: [.losesValuesWithFailure]) {
      $0.expand(maxPublishers: .max(1)) {
        Optional<Int>.Publisher($0 > 0 ? -$0 : nil).setFailureType(to: TestError.self)
      }
      .filter { $0 > 0 }.eraseToAnyPublisher()
    },
    .init("flatMapLatest", requests: .more) { upstream in
      Just(0).setFailureType(to: TestError.self).flatMapLatest { _ in upstream }.eraseToAnyPublisher()
    },
    .init("withLatestFrom of two") { upstream in
      upstream.withLatestFrom(one, one) { $0 + $1.0 + $1.1 }.eraseToAnyPublisher()
    },
    .init("withLatestFrom of four") { upstream in
      upstream.withLatestFrom(one, one, one, one) { $0 + $1.0 + $1.3 }.eraseToAnyPublisher()
    },
    .init("combineLatest of five") { upstream in
      one.combineLatest(one, one, one, upstream).map { $0.0 + $0.4 }.eraseToAnyPublisher()
    },
    .init("combineLatest of a list") { upstream in
      [one.eraseToAnyPublisher(), upstream.eraseToAnyPublisher()].combineLatest().map { $0[0] + $0[1] }
        .eraseToAnyPublisher()
    },
    .init("zip of five", traits: [.losesValuesWithFailure, .isLong]) { upstream in
      upstream.zip(long, long, long, long).map { $0.0 }.eraseToAnyPublisher()
    },
    .init("zip of a list", traits: [.losesValuesWithFailure, .isLong]) { upstream in
      [upstream.eraseToAnyPublisher(), long.eraseToAnyPublisher()].zip().map { $0[0] }.eraseToAnyPublisher()
    },
    .init("merge of a list", requests: .more, traits: [.losesValuesWithFailure]) { [$0].merge() },
    .init("concat of a list", requests: .oneByOne, traits: [.losesValuesWithFailure]) { upstream in
      [upstream.eraseToAnyPublisher(), Empty<Int, TestError>().eraseToAnyPublisher()].concat().eraseToAnyPublisher()
    },
    .init("amb with one that never delivers") { $0.amb(Empty(completeImmediately: false)).eraseToAnyPublisher() },
    .init("amb of a list") { upstream in
      [Empty(completeImmediately: false).eraseToAnyPublisher(), upstream.eraseToAnyPublisher()].amb()
        .eraseToAnyPublisher()
    },
    .init("switchIfEmpty") { $0.switchIfEmpty(Just(100).setFailureType(to: TestError.self)).eraseToAnyPublisher() },
    .init("andThen, behind") { upstream in
      [1, 2].publisher.setFailureType(to: TestError.self).andThen(upstream).eraseToAnyPublisher()
    },
  ]

  private static var one: Result<Int, TestError>.Publisher { .init(1) }

  /// Longer than any other stream in these suites.
  private static var long: Publishers.Sequence<ClosedRange<Int>, TestError> { .init(sequence: 1...1_001) }
}
