// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The publisher in place of a failure has another output.

import Penstock

#if !FIXED
  func titles() -> AnyCancellable {
    Shop.articles(matching: "")
      .catch { _ in Just("nothing") }
      .sink { print($0) }
  }
#else
  func titles() -> AnyCancellable {
    Shop.articles(matching: "")
      .catch { _ in Just([]) }
      .sink { print($0) }
  }
#endif
