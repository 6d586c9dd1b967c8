// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The value in place of a failure has another type.

import Penstock

#if !FIXED
  func show() -> AnyCancellable {
    Shop.articles(matching: "").replaceError(with: nil).sink { print($0) }
  }
#else
  func show() -> AnyCancellable {
    Shop.articles(matching: "").replaceError(with: []).sink { print($0) }
  }
#endif
