// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport

extension OperatorSpec {
  /// The operators for events and shapes, for objects and for repetition.
  static let beyondShapes: [OperatorSpec] = [
    .init("values of events") {
      $0.map { $0.isMultiple(of: 4) ? .completion(.failure(TestError.oops)) : .value($0) }.values()
        .eraseToAnyPublisher()
    },
    .init("failures of events") {
      $0.map { $0.isMultiple(of: 4) ? .value($0) : .completion(.failure(TestError("\($0)"))) }.failures()
        .map { (error: TestError) in Int(error.text)! }.eraseToAnyPublisher()
    },
    .init("mapToResult") { upstream in
      upstream.mapToResult().map { (try? $0.get()) ?? -1 }.setFailureType(to: TestError.self).eraseToAnyPublisher()
    },
    .init("ignoreOutput(setOutputType:)", requests: .more) {
      $0.ignoreOutput(setOutputType: Int.self).eraseToAnyPublisher()
    },
    .init("ignoreFailure") { $0.ignoreFailure(setFailureType: TestError.self).eraseToAnyPublisher() },
    .init("mapMany") { $0.map { [$0] }.mapMany { $0 + 1 }.map { $0[0] }.eraseToAnyPublisher() },
    .init("filterMany") { $0.map { [$0] }.filterMany { $0 != 4 }.map { $0.first ?? -1 }.eraseToAnyPublisher() },
    .init("mapToValue") { $0.mapToValue(7).eraseToAnyPublisher() },
    .init("mapToVoid") { $0.mapToVoid().map { 7 }.eraseToAnyPublisher() },
    .init("enumerated") { upstream in upstream.enumerated().map { $0.index * 10 + $0.element }.eraseToAnyPublisher() },
    .init("nwise") { $0.nwise(2).map { $0[0] + 10 * $0[1] }.eraseToAnyPublisher() },
    .init("combinePrevious") { upstream in upstream.combinePrevious(0).map { $0 + 10 * $1 }.eraseToAnyPublisher() },
    .init("removeAllDuplicates") {
      $0.map { $0 == 4 ? 1 : $0 }.removeAllDuplicates().eraseToAnyPublisher()
    },
    .init("removeAllDuplicates(by:)") {
      $0.map { min($0, 6) }.removeAllDuplicates { $0 == $1 }.eraseToAnyPublisher()
    },
    .init("toggle") { $0.map { $0.isMultiple(of: 2) }.toggle().map { $0 ? 1 : 0 }.eraseToAnyPublisher() },
    .init("and") {
      Just(true).setFailureType(to: TestError.self).and($0.map { $0.isMultiple(of: 2) }).map { $0 ? 1 : 0 }
        .eraseToAnyPublisher()
    },
    .init("or") {
      Just(false).setFailureType(to: TestError.self).or($0.map { $0.isMultiple(of: 2) }).map { $0 ? 1 : 0 }
        .eraseToAnyPublisher()
    },
    .init("scan(into:)") { $0.scan(into: 0) { $0 &+= $1 }.eraseToAnyPublisher() },
    .init("prefix(while:behavior:)") {
      $0.prefix(while: { $0 < 1_000_000_000 }, behavior: .inclusive).eraseToAnyPublisher()
    },
    .init("prefix(duration:)") { $0.prefix(duration: 1_000, on: $0.clock).eraseToAnyPublisher() },
    .init("withUnretained") { $0.withUnretained(keptObject) { $1 }.eraseToAnyPublisher() },
    .init("repeat, once", traits: [.releasesSubscriber]) { $0.repeat(1).eraseToAnyPublisher() },
    .init("repeat", traits: [.releasesSubscriber]) { $0.repeat(3).eraseToAnyPublisher() },
    .init("retryWhen", traits: [.releasesSubscriber]) {
      $0.retryWhen { $0.flatMap { Fail<Int, TestError>(error: $0) } }.eraseToAnyPublisher()
    },
  ]

  /// Those of them that deliver, or end, as time passes.
  static let beyondShapesDelaying: [OperatorSpec] = [
    .init("retryWhen, later") {
      $0.append(Fail<Int, TestError>(error: .oops))
        .retryWhen { [clock = $0.clock] in $0.prefix(1).delay(for: 1, scheduler: clock) }
        .eraseToAnyPublisher()
    }
  ]

  private static let keptObject = Canary()
}
