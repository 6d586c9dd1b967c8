// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The publishers of a `zip` fail with different errors.

import Foundation
import Penstock

#if !FIXED
  func pairs() -> AnyPublisher<([Article], Article), ShopError> {
    Shop.articles(matching: "").zip(Shop.article(from: Data()))
      .eraseToAnyPublisher()
  }
#else
  func pairs() -> AnyPublisher<([Article], Article), ShopError> {
    Shop.articles(matching: "").mapError(ShopError.network)
      .zip(Shop.article(from: Data()).mapError(ShopError.parse))
      .eraseToAnyPublisher()
  }
#endif
