// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import PenstockKit

/// A stage of a client's.
struct SameStage: TransparentStage {
  func receive(_ input: Int) -> Int? { input }
}
