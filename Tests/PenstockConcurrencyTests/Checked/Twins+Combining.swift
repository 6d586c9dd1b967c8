// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import TestSupport

extension Twin {
  /// The operators with several publishers that Combine does not have, whose results have no name.
  static let severalBeyond = [
    Twin(
      "withLatestFrom of two", { $0.withLatestFrom(one, one) { $0 + $1.0 + $1.1 }.eraseToAnyPublisher() },
      checked: { $0.withLatestFrom(one.sendable, one.sendable) { $0 + $1.0 + $1.1 }.eraseToAnySendablePublisher() }),
    Twin(
      "combineLatest of five", { $0.combineLatest(one, one, one, one).eraseToAnyPublisher() },
      checked: {
        $0.combineLatest(one.sendable, one.sendable, one.sendable, one.sendable).eraseToAnySendablePublisher()
      }),
    Twin(
      "zip of five", { $0.zip(one, one, one, one).eraseToAnyPublisher() },
      checked: { $0.zip(one.sendable, one.sendable, one.sendable, one.sendable).eraseToAnySendablePublisher() }),
    Twin(
      "amb", { $0.amb(silent).eraseToAnyPublisher() },
      checked: { $0.amb(silent.sendable).eraseToAnySendablePublisher() }),
    Twin(
      "switchIfEmpty", { $0.switchIfEmpty(one).eraseToAnyPublisher() },
      checked: { $0.switchIfEmpty(one.sendable).eraseToAnySendablePublisher() }),
    Twin(
      "andThen", { $0.andThen(one).eraseToAnyPublisher() },
      checked: { $0.andThen(one.sendable).eraseToAnySendablePublisher() }),
    Twin(
      "concatMap", { $0.concatMap { _ in one }.eraseToAnyPublisher() },
      checked: { $0.concatMap { _ in one.sendable }.eraseToAnySendablePublisher() }),
    Twin(
      "flatMapLatest", { $0.flatMapLatest { _ in one }.eraseToAnyPublisher() },
      checked: { $0.flatMapLatest { _ in one.sendable }.eraseToAnySendablePublisher() }),
    Twin(
      "flatMapSequential", { $0.flatMapSequential(prefetch: 2) { _ in one }.eraseToAnyPublisher() },
      checked: { $0.flatMapSequential(prefetch: 2) { _ in one.sendable }.eraseToAnySendablePublisher() }),
    Twin(
      "expand", { $0.expand { _ in none }.eraseToAnyPublisher() },
      checked: { $0.expand { _ in none.sendable }.eraseToAnySendablePublisher() }),
    Twin(
      "expand, one at a time",
      { $0.expand(maxPublishers: .max(1)) { Optional<Int>.Publisher($0 > 0 ? -$0 : nil) }.eraseToAnyPublisher() },
      checked: {
        $0.expand(maxPublishers: .max(1)) { Optional<Int>.Publisher($0 > 0 ? -$0 : nil).sendable }
          .eraseToAnySendablePublisher()
      }),
    Twin(
      "partition", { $0.partition { $0 > 1 }.matches.eraseToAnyPublisher() },
      checked: { $0.partition { $0 > 1 }.matches.eraseToAnySendablePublisher() }),
  ]

  private static var one: Result<Int, TestError>.Publisher { .init(1) }

  private static var none: Empty<Int, TestError> { Empty() }

  private static var silent: Empty<Int, TestError> { Empty(completeImmediately: false) }
}
