// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// `switchToLatest()` of values that are not publishers.

import Penstock

#if !FIXED
  func results(_ model: Model) -> AnyCancellable {
    model.$name
      .switchToLatest()
      .sink { print($0) }
  }
#else
  func results(_ model: Model) -> AnyCancellable {
    model.$name
      .map { Shop.articles(matching: $0).replaceError(with: []) }
      .switchToLatest()
      .sink { print($0) }
  }
#endif
