// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// `makeConnectable()` of a publisher that can fail.

import Penstock

#if !FIXED
  func shared() -> any Cancellable {
    Shop.articles(matching: "").makeConnectable().connect()
  }
#else
  func shared() -> any Cancellable {
    Shop.articles(matching: "").multicast { PassthroughSubject() }.connect()
  }
#endif
