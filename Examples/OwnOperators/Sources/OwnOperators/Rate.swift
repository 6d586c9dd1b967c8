// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockKit

extension Publisher {
  /// Publishes how many values have arrived between two ticks, and after the last tick.
  public func rate<Ticks: Publisher>(at ticks: Ticks) -> some Publisher<Int, Failure> where Ticks.Failure == Failure {
    steered(by: ticks, RateStage())
  }
}

struct RateStage<Input, Failure: Error, Signal>: SteeredStage {
  private var count = 0

  /// The latest count is kept until it is requested.
  static var demand: SteeredDemand { .countedKeeping }

  mutating func receive(_ input: Input) -> Verdict<Int, Failure> {
    count += 1
    return .absorb
  }

  mutating func receive(signal: Signal) -> Verdict<Int, Failure> {
    defer { count = 0 }
    return .emit(count)
  }

  func takeRest() -> Int? { count > 0 ? count : nil }
}
