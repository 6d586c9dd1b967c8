// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// `decode` of what a data task delivers, which is the data and the response.

import Foundation
import Penstock

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

#if !FIXED
  func article(at url: URL) -> AnyPublisher<Article, any Error> {
    URLSession.shared.dataTaskPublisher(for: url)
      .decode(type: Article.self, decoder: JSONDecoder())
      .eraseToAnyPublisher()
  }
#else
  func article(at url: URL) -> AnyPublisher<Article, any Error> {
    URLSession.shared.dataTaskPublisher(for: url)
      .map(\.data)
      .decode(type: Article.self, decoder: JSONDecoder())
      .eraseToAnyPublisher()
  }
#endif
