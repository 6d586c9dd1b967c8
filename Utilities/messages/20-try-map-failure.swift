// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// After a throwing operator the failure is `any Error`.

import Penstock

#if !FIXED
  func article(_ id: Int) -> AnyPublisher<Article, NetworkError> {
    Shop.data(of: id)
      .tryMap { try Shop.parse($0) }
      .eraseToAnyPublisher()
  }
#else
  func article(_ id: Int) -> AnyPublisher<Article, NetworkError> {
    Shop.data(of: id)
      .tryMap { try Shop.parse($0) }
      .mapError { $0 as? NetworkError ?? NetworkError() }
      .eraseToAnyPublisher()
  }
#endif
