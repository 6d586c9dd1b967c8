// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

// The code that the files of this folder use, compiled with each of them. See `check`.

import Foundation
import Penstock

struct Article: Decodable, Sendable {
  var id: Int
  var title: String
}

struct NetworkError: Error {}

struct ParseError: Error {}

enum ShopError: Error {
  case network(NetworkError)
  case parse(ParseError)
}

final class Label {
  let name = "title"
  var text: String?
  var count = 0
}

final class Model: ObservableObject {
  @Published var name = ""
  @Published var articles: [Article] = []
}

enum Shop {
  static func data(of id: Int) -> AnyPublisher<Data, NetworkError> {
    Fail(error: NetworkError()).eraseToAnyPublisher()
  }

  static func article(from data: Data) -> AnyPublisher<Article, ParseError> {
    Fail(error: ParseError()).eraseToAnyPublisher()
  }

  static func articles(matching text: String) -> AnyPublisher<[Article], NetworkError> {
    Fail(error: NetworkError()).eraseToAnyPublisher()
  }

  static func parse(_ data: Data) throws -> Article { throw ParseError() }
}
