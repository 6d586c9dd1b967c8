// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import PenstockCore

extension Verdict {
  /// The same decision, for the engine.
  @inlinable @inline(__always)
  internal var forEngine: PenstockCore.Verdict<Output, Failure> {
    switch self {
    case .emit(let output): .emit(output)
    case .skip: .skip
    case .absorb: .absorb
    case .finish: .finish
    case .emitAndFinish(let output): .emitAndFinish(output)
    case .fail(let failure): .fail(failure)
    }
  }
}
