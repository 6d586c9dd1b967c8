// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockKit

extension Publisher {
  /// Republishes values up to the first one that satisfies a condition, which is the last.
  public func through(_ isLast: @escaping (Output) -> Bool) -> some Publisher<Output, Failure> {
    lift { ThroughStage<Output, Failure>(isLast: isLast) }
  }
}

final class ThroughStage<Input, Failure: Error>: ManagedStage {
  private let isLast: (Input) -> Bool

  init(isLast: @escaping (Input) -> Bool) { self.isLast = isLast }

  func receive(_ input: Input) -> Verdict<Input, Failure> { isLast(input) ? .emitAndFinish(input) : .emit(input) }
}
