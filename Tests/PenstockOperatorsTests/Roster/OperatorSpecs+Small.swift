// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockOperators
import PenstockTesting
import TestSupport

extension OperatorSpec {
  /// The operators for ends, for whole streams and for lifetimes.
  static let beyondSmall: [OperatorSpec] = [
    .init("dropLast") { $0.dropLast(1).eraseToAnyPublisher() },
    .init("drop(duration:)") { $0.drop(duration: 1, on: ImmediateScheduler.shared).eraseToAnyPublisher() },
    .init("single", requests: .oneByOne, traits: [.losesValuesWithFailure, .buffers]) {
      $0.filter { $0 == 3 }.single { TestError("\($0)") }.eraseToAnyPublisher()
    },
    .init("prefix(untilDeinitOf:)") { $0.prefix(untilDeinitOf: keptLifetime()).eraseToAnyPublisher() },
    .init("prefix(untilDeinitOf:), any object") { $0.prefix(untilDeinitOf: keptObject).eraseToAnyPublisher() },
    .init("compactMap(as:)", .transparent, shown: "CompactMap") {
      $0.map { $0.isMultiple(of: 4) ? "" as any Sendable : $0 }.compactMap(as: Int.self)
    },
    .init("apply", .transparent, shown: "Filter") { $0.apply { $0.filter { !$0.isMultiple(of: 4) } } },
    .init("sequenceEqual", requests: .more, traits: [.losesValuesWithFailure, .buffers]) {
      $0.sequenceEqual(Publishers.Sequence<ClosedRange<Int>, TestError>(sequence: 1...1_001)).map { $0 ? 1 : 0 }
        .eraseToAnyPublisher()
    },
    .init("ignoreFailure(completeImmediately:)") {
      $0.ignoreFailure(setFailureType: TestError.self, completeImmediately: true).eraseToAnyPublisher()
    },
    .init("onStart") { $0.onStart {}.eraseToAnyPublisher() },
    .init("finally") { $0.finally {}.eraseToAnyPublisher() },
    .init("trackActivity") { $0.trackActivity(ActivityTracker()).eraseToAnyPublisher() },
  ]

  /// Those of them that depend on time.
  static let beyondSmallDelaying: [OperatorSpec] = [
    .init("drop(duration:), later", varies: "what comes early is left out") {
      $0.drop(duration: 1, on: $0.clock).eraseToAnyPublisher()
    }
  ]

  private static let keptObject = Canary()
  private static let lifetimes = Locked<[Lifetime]>([])

  /// One for each stream: if another test used the same lifetime at this moment, it would keep the stream's subscriber
  /// alive.
  private static func keptLifetime() -> Lifetime {
    let lifetime = Lifetime()
    lifetimes.change { $0.append(lifetime) }
    return lifetime
  }
}
