// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// Two mistakes: a publisher that can fail, and a closure that calls something that does not exist.

import Penstock

#if !FIXED
  func show() -> AnyCancellable {
    Shop.articles(matching: "").sink { print($0.cuont) }
  }
#else
  func show() -> AnyCancellable {
    Shop.articles(matching: "").replaceError(with: []).sink { print($0.count) }
  }
#endif
