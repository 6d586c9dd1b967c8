// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// `sink` with a closure for the completion and none for the values.

import Penstock

#if !FIXED
  func show() -> AnyCancellable {
    Shop.articles(matching: "").sink(receiveCompletion: { print($0) })
  }
#else
  func show() -> AnyCancellable {
    Shop.articles(matching: "").sink(receiveCompletion: { print($0) }, receiveValue: { _ in })
  }
#endif
