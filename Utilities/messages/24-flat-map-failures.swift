// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The inner publisher of a `flatMap` fails with another error than the outer one.

import Penstock

#if !FIXED
  func article(_ id: Int) -> AnyPublisher<Article, ShopError> {
    Shop.data(of: id)
      .flatMap { Shop.article(from: $0) }
      .eraseToAnyPublisher()
  }
#else
  func article(_ id: Int) -> AnyPublisher<Article, ShopError> {
    Shop.data(of: id)
      .mapError(ShopError.network)
      .flatMap { Shop.article(from: $0).mapError(ShopError.parse) }
      .eraseToAnyPublisher()
  }
#endif
