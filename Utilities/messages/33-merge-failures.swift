// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The publishers of a `merge` fail with different errors.

import Foundation
import Penstock

#if !FIXED
  func all() -> AnyCancellable {
    Shop.articles(matching: "").merge(with: Shop.article(from: Data()).map { [$0] })
      .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  }
#else
  func all() -> AnyCancellable {
    Shop.articles(matching: "").mapError(ShopError.network)
      .merge(with: Shop.article(from: Data()).map { [$0] }.mapError(ShopError.parse))
      .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  }
#endif
