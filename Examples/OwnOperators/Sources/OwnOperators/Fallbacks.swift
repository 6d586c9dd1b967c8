// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockKit

extension Publisher {
  /// Republishes this publisher, and, if it fails, one alternative after the other until one finishes.
  public func fallback<Other: Publisher<Output, Failure>>(to others: [Other]) -> some Publisher<Output, Failure> {
    followed { FallbackRule(others: others) }
  }
}

struct FallbackRule<Other: Publisher>: SequentialRule {
  let others: [Other]

  func next(
    after completion: Subscribers.Completion<Other.Failure>, number: Int
  ) -> SequentialStep<Other, Other.Failure> {
    guard case .failure = completion, number <= others.count else { return .finish(completion) }
    return .start(others[number - 1])
  }
}
