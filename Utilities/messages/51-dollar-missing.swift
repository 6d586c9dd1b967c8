// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The value of a published property in place of its publisher.

import Penstock

#if !FIXED
  func show(_ model: Model) -> AnyCancellable {
    model.name.removeDuplicates().sink { print($0) }
  }
#else
  func show(_ model: Model) -> AnyCancellable {
    model.$name.removeDuplicates().sink { print($0) }
  }
#endif
