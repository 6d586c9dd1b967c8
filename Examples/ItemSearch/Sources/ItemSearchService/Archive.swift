// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import ItemDatabase
import ItemListController
import Synchronization

/// A service that knows the details of items, and sometimes fails.
///
/// It is part of this process, but behaves like a remote service: it is slow, its connection breaks, and a token is
/// valid only for some requests.
///
/// **Concurrency:** any task may ask.
public final class Archive: Sendable {
  /// The number of requests for which a token is valid.
  public static let requestsPerToken = 8

  /// What a visitor shows to the archive.
  final class Token: Sendable {
    private let requests = Atomic(Archive.requestsPerToken)

    func renew() { requests.store(Archive.requestsPerToken, ordering: .relaxed) }

    fileprivate func isGood() -> Bool { requests.subtract(1, ordering: .relaxed).newValue >= 0 }
  }

  private let database: ItemDatabase
  private let delay: Duration
  private let isLost: @Sendable () -> Bool

  /// Creates an archive.
  ///
  /// - Parameters:
  ///   - database: The database in which it looks.
  ///   - delay: How long an answer takes.
  ///   - isLost: Whether the next request is lost; by default, one in three is.
  public init(
    database: ItemDatabase, delay: Duration = .milliseconds(150),
    isLost: @escaping @Sendable () -> Bool = { .random(in: 0..<3) == 0 }
  ) {
    (self.database, self.delay, self.isLost) = (database, delay, isLost)
  }

  func details(of id: Item.ID, for token: Token) async throws -> ItemRecord {
    try await Task.sleep(for: delay)
    guard token.isGood() else { throw DetailsError.tokenExpired }
    guard !isLost() else { throw DetailsError.connectionLost }
    guard let record = try await database.record(of: id) else { throw DetailsError.unknownItem }
    return record
  }
}

extension DetailsError {
  /// The error as the page shows it.
  var text: String {
    switch self {
    case .connectionLost: "the connection was lost"
    case .tokenExpired: "the token has expired"
    case .unknownItem: "there is no such item"
    }
  }
}
