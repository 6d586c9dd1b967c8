// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// `sink(receiveValue:)`, with its label, on a publisher that can fail.

import Penstock

#if !FIXED
  func show() -> AnyCancellable {
    Shop.articles(matching: "").sink(receiveValue: { print($0.count) })
  }
#else
  func show() -> AnyCancellable {
    Shop.articles(matching: "").sink(receiveCompletion: { print($0) }, receiveValue: { print($0.count) })
  }
#endif
