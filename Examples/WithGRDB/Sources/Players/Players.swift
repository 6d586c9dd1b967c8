// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Combine
import GRDB

/// A row of the players' table.
public struct Player: Codable, Sendable, Equatable, FetchableRecord, PersistableRecord {
  public var name: String
  public var score: Int

  public init(name: String, score: Int) {
    self.name = name
    self.score = score
  }
}

/// A table of players, observed by GRDB's publishers.
public struct Players: Sendable {
  private let database: DatabaseQueue

  public init() throws {
    database = try DatabaseQueue()
    try database.write { db in
      try db.create(table: "player") { table in
        table.primaryKey("name", .text)
        table.column("score", .integer).notNull()
      }
    }
  }

  /// The best players, now and after each change.
  public func best(_ count: Int) -> AnyPublisher<[Player], any Error> {
    ValueObservation
      .tracking { try Player.order(Column("score").desc).limit(count).fetchAll($0) }
      .publisher(in: database, scheduling: .immediate)
      .eraseToAnyPublisher()
  }

  /// Saves a player, and delivers the number of players afterwards.
  public func save(_ player: Player) -> AnyPublisher<Int, any Error> {
    database
      .writePublisher { db in
        try player.save(db)
        return try Player.fetchCount(db)
      }
      .eraseToAnyPublisher()
  }
}
