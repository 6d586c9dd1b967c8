// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// `assign(to: &$property)` on a publisher that can fail.

import Penstock

extension Model {
  #if !FIXED
    func load() {
      Shop.articles(matching: name).assign(to: &$articles)
    }
  #else
    func load() {
      Shop.articles(matching: name).replaceError(with: []).assign(to: &$articles)
    }
  #endif
}
