// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport

extension OperatorSpec {
  /// The operators that divide a stream into parts.
  static let beyondSplitting: [OperatorSpec] = [
    .init("collect(while:)", requests: .oneByOne) { $0.collect { _ in false }.map { $0[0] }.eraseToAnyPublisher() },
    .init("chunked(by:)", requests: .oneByOne, traits: [.losesValuesWithFailure, .buffers]) {
      $0.chunked { _, _ in false }.map { $0[0] + 1 }.eraseToAnyPublisher()
    },
    .init("chunked(on:)", requests: .oneByOne, traits: [.losesValuesWithFailure, .buffers]) {
      $0.chunked { $0 }.map { $1[0] + 1 }.eraseToAnyPublisher()
    },
    .init("flatMapBatches", requests: .more) {
      $0.flatMap { [Just($0).setFailureType(to: TestError.self)].flatMapBatches(of: 1).map { $0[0] } }
        .eraseToAnyPublisher()
    },
    .init("window(count:)", requests: .oneByOne, traits: [.losesValuesWithFailure, .buffers]) {
      $0.window(count: 2).flatMap(maxPublishers: .max(1)) { $0 }.eraseToAnyPublisher()
    },
    .init("window(until:)", requests: .oneByOne, traits: [.losesValuesWithFailure, .buffers]) {
      $0.window(until: Empty<Int, TestError>(completeImmediately: false)).flatMap(maxPublishers: .max(1)) { $0 }
        .eraseToAnyPublisher()
    },
    // One group, since the values of several are not in upstream's order when they have waited.
    .init("grouped", requests: .more, traits: [.losesValuesWithFailure, .buffers]) {
      $0.grouped { _ in 0 }.flatMap { $0 }.eraseToAnyPublisher()
    },
  ]

  /// Those of them that deliver as time passes.
  static let beyondSplittingDelaying: [OperatorSpec] = [
    .init("collect(until:)", requests: .oneByOne) {
      $0.collect(
        until: Just(0).setFailureType(to: TestError.self).delay(for: 1, scheduler: $0.clock)
          .append(Empty(completeImmediately: false))
      )
      .flatMap(maxPublishers: .max(1)) { Publishers.Sequence<[Int], TestError>(sequence: $0) }
    },
    .init("window(until:), later", requests: .oneByOne) {
      $0.window(
        until: Just(0).setFailureType(to: TestError.self).delay(for: 1, scheduler: $0.clock)
          .append(Empty(completeImmediately: false))
      )
      .flatMap(maxPublishers: .max(1)) { $0 }
    },
    .init("window(for:)", requests: .oneByOne) {
      $0.window(for: 1, scheduler: $0.clock).flatMap(maxPublishers: .max(1)) { $0 }
    },
    .init("grouped, idle", requests: .more, traits: [.losesValuesWithFailure, .buffers]) {
      $0.grouped(by: { _ in 0 }, idleAfter: 1_000, scheduler: $0.clock).flatMap { $0 }
        .mapError { $0 as! TestError }
    },
  ]
}
