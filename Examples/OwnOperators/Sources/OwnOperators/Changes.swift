// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockKit

extension Publisher where Output: AdditiveArithmetic {
  /// Publishes the difference between each value and the previous one.
  public func changes() -> some Publisher<Output, Failure> { lift { ChangesStage<Output, Failure>() } }
}

final class ChangesStage<Input: AdditiveArithmetic, Failure: Error>: ManagedStage {
  @exclusivity(unchecked) private var last: Input?

  func receive(_ input: Input) -> Verdict<Input, Failure> {
    defer { last = input }
    return last.map { .emit(input - $0) } ?? .skip
  }
}
