// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// `decode` without a decoder.

import Foundation
import Penstock

#if !FIXED
  func article(_ id: Int) -> AnyPublisher<Article, any Error> {
    Shop.data(of: id).decode(type: Article.self).eraseToAnyPublisher()
  }
#else
  func article(_ id: Int) -> AnyPublisher<Article, any Error> {
    Shop.data(of: id).decode(type: Article.self, decoder: JSONDecoder()).eraseToAnyPublisher()
  }
#endif
