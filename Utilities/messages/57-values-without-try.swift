// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The values of a publisher that can fail are awaited without `try`.

import Penstock

#if !FIXED
  func show() async {
    for await articles in Shop.articles(matching: "").values { print(articles) }
  }
#else
  func show() async throws {
    for try await articles in Shop.articles(matching: "").values { print(articles) }
  }
#endif
