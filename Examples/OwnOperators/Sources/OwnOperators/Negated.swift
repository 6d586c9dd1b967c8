// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockKit

extension Publisher where Output: SignedNumeric {
  /// Publishes each value with the opposite sign.
  public func negated() -> some Publisher<Output, Failure> { lift(NegatedStage()) }
}

struct NegatedStage<Input: SignedNumeric>: TransparentStage {
  func receive(_ input: Input) -> Input? { -input }
}
