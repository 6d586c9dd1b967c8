// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The publisher that is returned has another output than the declared `some Publisher`.

import Penstock

#if !FIXED
  func titles() -> some Publisher<[String], NetworkError> {
    Shop.articles(matching: "")
  }
#else
  func titles() -> some Publisher<[String], NetworkError> {
    Shop.articles(matching: "").map { $0.map(\.title) }
  }
#endif
