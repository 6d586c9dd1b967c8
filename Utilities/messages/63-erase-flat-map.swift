// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// A `flatMap` is returned where `AnyPublisher` is declared.

import Penstock

#if !FIXED
  func articles(_ texts: AnyPublisher<String, NetworkError>) -> AnyPublisher<[Article], NetworkError> {
    texts.flatMap { Shop.articles(matching: $0) }
  }
#else
  func articles(_ texts: AnyPublisher<String, NetworkError>) -> AnyPublisher<[Article], NetworkError> {
    texts.flatMap { Shop.articles(matching: $0) }.eraseToAnyPublisher()
  }
#endif
