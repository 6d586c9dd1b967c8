// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The closure of a `mapError` returns an optional.

import Penstock

#if !FIXED
  func article(_ id: Int) -> AnyPublisher<Article, ParseError> {
    Shop.data(of: id)
      .tryMap { try Shop.parse($0) }
      .mapError { $0 as? ParseError }
      .eraseToAnyPublisher()
  }
#else
  func article(_ id: Int) -> AnyPublisher<Article, ParseError> {
    Shop.data(of: id)
      .tryMap { try Shop.parse($0) }
      .mapError { $0 as? ParseError ?? ParseError() }
      .eraseToAnyPublisher()
  }
#endif
