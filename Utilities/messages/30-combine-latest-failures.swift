// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The publishers of a `combineLatest` fail with different errors.

import Foundation
import Penstock

#if !FIXED
  func both() -> AnyCancellable {
    Shop.articles(matching: "").combineLatest(Shop.article(from: Data()))
      .sink(receiveCompletion: { print($0) }, receiveValue: { print($0, $1) })
  }
#else
  func both() -> AnyCancellable {
    Shop.articles(matching: "").mapError(ShopError.network)
      .combineLatest(Shop.article(from: Data()).mapError(ShopError.parse))
      .sink(receiveCompletion: { print($0) }, receiveValue: { print($0, $1) })
  }
#endif
