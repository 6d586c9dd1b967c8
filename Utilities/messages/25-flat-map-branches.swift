// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The branches of the closure of a `flatMap` return publishers of different types.

import Penstock

#if !FIXED
  func results(for search: AnyPublisher<String, NetworkError>) -> AnyPublisher<[Article], NetworkError> {
    search
      .flatMap { text in
        if text.isEmpty { return Just([Article]()) }
        return Shop.articles(matching: text)
      }
      .eraseToAnyPublisher()
  }
#else
  func results(for search: AnyPublisher<String, NetworkError>) -> AnyPublisher<[Article], NetworkError> {
    search
      .flatMap { text in
        if text.isEmpty { return Just([Article]()).setFailureType(to: NetworkError.self).eraseToAnyPublisher() }
        return Shop.articles(matching: text)
      }
      .eraseToAnyPublisher()
  }
#endif
