// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockCore
import TestSupport

extension OperatorSpec {
  /// The operators of the collecting shape that may know their result before upstream ends.
  static let deciding = collecting.filter { $0.collected?.decision != nil }

  /// The operators of the collecting shape whose closure may throw.
  static let collectingThrowing = collecting.filter(\.isThrowing)

  /// The value at which the closures of the throwing operators throw.
  static let poison = 13

  /// The signals of a whole stream with a result.
  func story(_ result: String?) -> [Event<String, TestError>] {
    [.subscription(shown.description)] + (result.map { [.value($0)] } ?? []) + [.completion(.finished)]
  }

  /// Attaches a recorder through the operator to a publisher that is driven by hand.
  func attach(
    _ recorder: Recorder<String, TestError>, subscription: ManualSubscription? = ManualSubscription()
  ) -> ManualPublisher<Int, TestError> {
    let publisher = ManualPublisher<Int, TestError>(subscription: subscription)
    let check: (Int) throws -> Void = { if $0 == Self.poison { throw TestError.oops } }
    texts(of: publisher.eraseToAnyPublisher(), check: check).subscribe(recorder)
    return publisher
  }
}
