// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockKit

extension Publisher {
  /// Republishes values while the latest signal is `true`, and leaves out others.
  public func gated<Gate: Publisher<Bool, Failure>>(by gate: Gate) -> some Publisher<Output, Failure> {
    steered(by: gate, GatedStage())
  }
}

struct GatedStage<Input, Failure: Error>: SteeredStage {
  private var isOpen = false

  mutating func receive(_ input: Input) -> Verdict<Input, Failure> { isOpen ? .emit(input) : .skip }

  mutating func receive(signal: Bool) -> Verdict<Input, Failure> {
    isOpen = signal
    return .absorb
  }
}
