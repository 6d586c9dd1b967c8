// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The chain of operators is returned where `AnyPublisher` is declared.

import Penstock

#if !FIXED
  func titles() -> AnyPublisher<[String], NetworkError> {
    Shop.articles(matching: "").map { $0.map(\.title) }
  }
#else
  func titles() -> AnyPublisher<[String], NetworkError> {
    Shop.articles(matching: "").map { $0.map(\.title) }.eraseToAnyPublisher()
  }
#endif
