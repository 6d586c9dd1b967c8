// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockConcurrency
import PenstockTesting
import TestSupport

extension Twin {
  /// The operators of events and shapes, whose results have no name.
  static let shapes = [
    Twin(
      "failures", { $0.materialize().failures().eraseToAnyPublisher() },
      checked: { $0.materialize().failures().eraseToAnySendablePublisher() }),
    Twin(
      "mapToResult", { $0.mapToResult().eraseToAnyPublisher() },
      checked: { $0.mapToResult().eraseToAnySendablePublisher() }),
    Twin(
      "setOutputType", { $0.ignoreOutput().setOutputType(to: Int.self).eraseToAnyPublisher() },
      checked: { $0.ignoreOutput().setOutputType(to: Int.self).eraseToAnySendablePublisher() }),
    Twin(
      "ignoreOutput(setOutputType:)", { $0.ignoreOutput(setOutputType: String.self).eraseToAnyPublisher() },
      checked: { $0.ignoreOutput(setOutputType: String.self).eraseToAnySendablePublisher() }),
    Twin(
      "ignoreFailure", { $0.ignoreFailure().eraseToAnyPublisher() },
      checked: { $0.ignoreFailure().eraseToAnySendablePublisher() }),
    Twin(
      "ignoreFailure(completeImmediately:)", { $0.ignoreFailure(completeImmediately: false).eraseToAnyPublisher() },
      checked: { $0.ignoreFailure(completeImmediately: false).eraseToAnySendablePublisher() }),
    Twin(
      "ignoreFailure(setFailureType:completeImmediately:)",
      { $0.ignoreFailure(setFailureType: TestError.self, completeImmediately: false).eraseToAnyPublisher() },
      checked: {
        $0.ignoreFailure(setFailureType: TestError.self, completeImmediately: false).eraseToAnySendablePublisher()
      }),
    Twin(
      "mapMany", { $0.map { [$0] }.mapMany { $0 + 1 }.eraseToAnyPublisher() },
      checked: { $0.map { [$0] }.mapMany { $0 + 1 }.eraseToAnySendablePublisher() }),
    Twin(
      "filterMany", { $0.map { [$0] }.filterMany { $0 > 1 }.eraseToAnyPublisher() },
      checked: { $0.map { [$0] }.filterMany { $0 > 1 }.eraseToAnySendablePublisher() }),
    Twin(
      "mapToValue", { $0.mapToValue("x").eraseToAnyPublisher() },
      checked: { $0.mapToValue("x").eraseToAnySendablePublisher() }),
    Twin(
      "mapToVoid", { $0.mapToVoid().eraseToAnyPublisher() }, checked: { $0.mapToVoid().eraseToAnySendablePublisher() }),
    Twin(
      "enumerated", { $0.enumerated().eraseToAnyPublisher() },
      checked: { $0.enumerated().eraseToAnySendablePublisher() }),
    Twin("nwise", { $0.nwise(2).eraseToAnyPublisher() }, checked: { $0.nwise(2).eraseToAnySendablePublisher() }),
    Twin(
      "combinePrevious", { $0.combinePrevious(0).eraseToAnyPublisher() },
      checked: { $0.combinePrevious(0).eraseToAnySendablePublisher() }),
    Twin(
      "removeAllDuplicates", { $0.removeAllDuplicates().eraseToAnyPublisher() },
      checked: { $0.removeAllDuplicates().eraseToAnySendablePublisher() }),
    Twin(
      "removeAllDuplicates(by:)", { $0.removeAllDuplicates { $0 == $1 }.eraseToAnyPublisher() },
      checked: { $0.removeAllDuplicates { $0 == $1 }.eraseToAnySendablePublisher() }),
    Twin(
      "not", { $0.map { $0 > 1 }.not().eraseToAnyPublisher() },
      checked: { $0.map { $0 > 1 }.not().eraseToAnySendablePublisher() }),
    Twin(
      "and", { $0.map { $0 > 1 }.and(truth).eraseToAnyPublisher() },
      checked: { $0.map { $0 > 1 }.and(truth.sendable).eraseToAnySendablePublisher() }),
    Twin(
      "or", { $0.map { $0 > 1 }.or(truth).eraseToAnyPublisher() },
      checked: { $0.map { $0 > 1 }.or(truth.sendable).eraseToAnySendablePublisher() }),
    Twin(
      "scan(into:)", { $0.scan(into: 0) { $0 += $1 }.eraseToAnyPublisher() },
      checked: { $0.scan(into: 0) { $0 += $1 }.eraseToAnySendablePublisher() }),
    Twin(
      "prefix(while:behavior:)", { $0.prefix(while: { $0 < 3 }, behavior: .inclusive).eraseToAnyPublisher() },
      checked: { $0.prefix(while: { $0 < 3 }, behavior: .inclusive).eraseToAnySendablePublisher() }),
    Twin(
      "withUnretained", { $0.withUnretained(kept) { $1 }.eraseToAnyPublisher() },
      checked: { $0.withUnretained(kept) { $1 }.eraseToAnySendablePublisher() }),
    Twin("repeat", { $0.repeat(1).eraseToAnyPublisher() }, checked: { $0.repeat(1).eraseToAnySendablePublisher() }),
    Twin(
      "retryWhen", { $0.retryWhen { $0.prefix(0) }.eraseToAnyPublisher() },
      checked: { $0.retryWhen { $0.prefix(0) }.eraseToAnySendablePublisher() }),
    Twin(
      "dropLast", { $0.dropLast(2).eraseToAnyPublisher() }, checked: { $0.dropLast(2).eraseToAnySendablePublisher() }),
    Twin(
      "drop(duration:)", timed: { $0.drop(duration: 1, on: $1).eraseToAnyPublisher() },
      checked: { $0.drop(duration: 1, on: $1).eraseToAnySendablePublisher() }),
    Twin(
      "single", { $0.single { TestError("\($0)") }.eraseToAnyPublisher() },
      checked: { $0.single { TestError("\($0)") }.eraseToAnySendablePublisher() }),
    Twin("compactMap(as:)", { $0.compactMap(as: Int.self) }, checked: { $0.compactMap(as: Int.self) }),
    Twin("apply", { $0.apply { $0.map { $0 + 1 } } }, checked: { $0.apply { $0.map { $0 + 1 } } }),
    Twin(
      "sequenceEqual", { $0.sequenceEqual(numbers).eraseToAnyPublisher() },
      checked: { $0.sequenceEqual(numbers.sendable).eraseToAnySendablePublisher() }),
    Twin(
      "sequenceEqual(by:)", { $0.sequenceEqual(numbers) { $0 == $1 }.eraseToAnyPublisher() },
      checked: { $0.sequenceEqual(numbers.sendable) { $0 == $1 }.eraseToAnySendablePublisher() }),
    Twin("onStart", { $0.onStart {}.eraseToAnyPublisher() }, checked: { $0.onStart {}.eraseToAnySendablePublisher() }),
    Twin("finally", { $0.finally {}.eraseToAnyPublisher() }, checked: { $0.finally {}.eraseToAnySendablePublisher() }),
    Twin(
      "trackActivity", { $0.trackActivity(tracker).eraseToAnyPublisher() },
      checked: { $0.trackActivity(tracker).eraseToAnySendablePublisher() }),
    Twin(
      "prefix(untilDeinitOf:)", { $0.prefix(untilDeinitOf: lifetime).eraseToAnyPublisher() },
      checked: { $0.prefix(untilDeinitOf: lifetime).eraseToAnySendablePublisher() }),
    Twin(
      "prefix(untilDeinitOf:), any object", { $0.prefix(untilDeinitOf: kept).eraseToAnyPublisher() },
      checked: { $0.prefix(untilDeinitOf: kept).eraseToAnySendablePublisher() }),
    Twin(
      "prefix(duration:)", timed: { $0.prefix(duration: 2, on: $1).eraseToAnyPublisher() },
      checked: { $0.prefix(duration: 2, on: $1).eraseToAnySendablePublisher() }),
  ]

  private static let truth = Record<Bool, TestError>(output: [true], completion: .finished)
  private static let kept = Canary()
  private static let (tracker, lifetime) = (ActivityTracker(), Lifetime())
  private static let numbers = Record<Int, TestError>(output: [1, 2], completion: .finished)
}
