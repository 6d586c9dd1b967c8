// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Combine
import Foundation

/// An item on sale.
public struct Item: Codable, Hashable, Identifiable, Sendable {
  public let id: Int
  public let title: String
  public let price: Int

  public init(id: Int, title: String, price: Int) {
    self.id = id
    self.title = title
    self.price = price
  }
}

/// The errors between the app and the server.
public enum ServiceError: Error, Equatable {
  case status(Int)
  case unreachable(URLError.Code)
  case unreadable
}

/// The connection to the server: `URLSession`, or a double in tests.
public protocol Transport {
  func load(_ request: URLRequest) -> AnyPublisher<(data: Data, response: URLResponse), URLError>
}

extension URLSession: Transport {
  public func load(_ request: URLRequest) -> AnyPublisher<(data: Data, response: URLResponse), URLError> {
    dataTaskPublisher(for: request).eraseToAnyPublisher()
  }
}

/// The networking layer.
public struct CatalogueService {
  private let transport: any Transport
  private let base: URL
  private let decoder = JSONDecoder()

  public init(transport: any Transport, base: URL) {
    self.transport = transport
    self.base = base
  }

  /// Returns all items whose title contains a text.
  ///
  /// A request to a busy server is repeated twice; any other response is final.
  public func items(matching text: String) -> AnyPublisher<[Item], ServiceError> {
    var components = URLComponents(url: base.appendingPathComponent("items"), resolvingAgainstBaseURL: false)!
    components.queryItems = [URLQueryItem(name: "title", value: text)]
    var request = URLRequest(url: components.url!)
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    let attempt = transport.load(request)
      .mapError { ServiceError.unreachable($0.code) }
      .tryMap { data, response in
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard status == 200 else { throw ServiceError.status(status) }
        return data
      }
    return
      attempt
      .tryCatch { error in
        guard error as? ServiceError == .status(503) else { throw error }
        return attempt.retry(1)
      }
      .decode(type: [Item].self, decoder: decoder)
      .mapError { $0 as? ServiceError ?? .unreadable }
      .eraseToAnyPublisher()
  }

  /// Returns the item with a number, as a single value.
  public func item(_ id: Int) -> Future<Item?, ServiceError> {
    Future { promise in
      var subscription: AnyCancellable?
      subscription = items(matching: "").first().map { $0.first { $0.id == id } }
        .sink(
          receiveCompletion: { completion in
            if case .failure(let error) = completion { promise(.failure(error)) }
            withExtendedLifetime(subscription) { subscription = nil }
          },
          receiveValue: { promise(.success($0)) })
    }
  }
}
