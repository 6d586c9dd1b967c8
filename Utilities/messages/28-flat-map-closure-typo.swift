// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The closure of a `flatMap` calls something that does not exist.

import Penstock

#if !FIXED
  func results(for search: AnyPublisher<String, NetworkError>) -> AnyPublisher<[Article], NetworkError> {
    search.flatMap { Shop.find(matching: $0) }.eraseToAnyPublisher()
  }
#else
  func results(for search: AnyPublisher<String, NetworkError>) -> AnyPublisher<[Article], NetworkError> {
    search.flatMap { Shop.articles(matching: $0) }.eraseToAnyPublisher()
  }
#endif
