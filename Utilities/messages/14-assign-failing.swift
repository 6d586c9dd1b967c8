// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// `assign(to:on:)` on a publisher that can fail.

import Penstock

#if !FIXED
  func bind(to label: Label) -> AnyCancellable {
    Shop.articles(matching: "").map(\.count)
      .assign(to: \.count, on: label)
  }
#else
  func bind(to label: Label) -> AnyCancellable {
    Shop.articles(matching: "").map(\.count)
      .replaceError(with: 0)
      .assign(to: \.count, on: label)
  }
#endif
