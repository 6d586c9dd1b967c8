// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The branches of a function that returns `some Publisher` return different types.

import Penstock

#if !FIXED
  func results(for text: String) -> some Publisher<[Article], NetworkError> {
    if text.isEmpty { return Just([]).setFailureType(to: NetworkError.self) }
    return Shop.articles(matching: text)
  }
#else
  func results(for text: String) -> some Publisher<[Article], NetworkError> {
    if text.isEmpty { return Just([]).setFailureType(to: NetworkError.self).eraseToAnyPublisher() }
    return Shop.articles(matching: text)
  }
#endif
