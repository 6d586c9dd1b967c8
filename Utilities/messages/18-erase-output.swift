// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The chain of operators has another output than the declared publisher.

import Penstock

#if !FIXED
  func titles() -> AnyPublisher<[String], NetworkError> {
    Shop.articles(matching: "").map { $0.map(\.id) }.eraseToAnyPublisher()
  }
#else
  func titles() -> AnyPublisher<[String], NetworkError> {
    Shop.articles(matching: "").map { $0.map(\.title) }.eraseToAnyPublisher()
  }
#endif
