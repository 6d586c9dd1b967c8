// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import GRDB

/// A database of items with full-text search.
///
/// It is filled when its file is new, and only read after that.
///
/// **Concurrency:** any thread may search. As many queries run at a time as the machine has processors; the others wait
/// for their turn, and a query that is cancelled before its turn never reaches SQLite.
public final class ItemDatabase: Sendable {
  /// The maximum number of items in an answer.
  public static let limit = 40

  /// How many items there are.
  public let count: Int

  /// Where the items came from when the database was filled.
  public let origin: String

  let pool: DatabasePool
  let report: @Sendable (QueryEvent) -> Void

  /// Opens a database, and fills it if it is new.
  ///
  /// - Parameters:
  ///   - path: The file. Its folder is created if necessary.
  ///   - source: Where the items of a new database come from.
  ///   - connections: How many queries run at a time; by default, as many as there are processors.
  ///   - onQuery: Called with what happens to each query, on any thread.
  /// - Throws: ``ItemDatabaseError`` if the database cannot be opened or created.
  public init(
    path: String, source: ItemSource = .system, connections: Int? = nil,
    onQuery: @escaping @Sendable (QueryEvent) -> Void = { _ in }
  ) throws {
    report = onQuery
    do {
      let folder = URL(filePath: path).deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      var configuration = Configuration()
      configuration.label = "items"
      configuration.maximumReaderCount = max(1, connections ?? ProcessInfo.processInfo.activeProcessorCount)
      pool = try DatabasePool(path: path, configuration: configuration)
      let isNew = try pool.read { db in try !db.tableExists("item") }
      if isNew {
        try pool.write { db in try Self.fill(db, from: source) }
        // Everything goes into the file: nothing is written after this.
        _ = try pool.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
      }
      (count, origin) = try pool.read { db in
        (try ItemRecord.fetchCount(db), try String.fetchOne(db, sql: "SELECT text FROM origin") ?? "")
      }
    } catch {
      throw ItemDatabaseError(error, path: path) ?? error
    }
  }

  /// Closes the database: queries that run are interrupted, and later ones fail.
  public func close() throws {
    pool.interrupt()
    try pool.close()
  }

  /// In one transaction: if the power fails halfway, the database is empty.
  private static func fill(_ db: Database, from source: ItemSource) throws {
    try db.create(table: "item") { table in
      table.autoIncrementedPrimaryKey("id")
      table.column("name", .text).notNull().unique()
      for column in ["section", "summary", "version", "maintainer", "homepage"] {
        table.column(column, .text).notNull()
      }
      table.column("size", .integer).notNull()
    }
    try db.create(table: "origin") { $0.column("text", .text).notNull() }
    // The text is that of the other table. Words of up to three letters have a separate index.
    try db.execute(
      sql: """
        CREATE VIRTUAL TABLE search USING fts5(
          name, summary, content='item', content_rowid='id', tokenize='unicode61 remove_diacritics 2', prefix='1 2 3')
        """)
    let (records, origin) = try source.load()
    let insertion = try db.makeStatement(
      sql: """
        INSERT INTO item (name, section, summary, version, maintainer, homepage, size) VALUES (?, ?, ?, ?, ?, ?, ?)
        """)
    for record in records {
      try insertion.execute(arguments: [
        record.name, record.section, record.summary, record.version, record.maintainer, record.homepage, record.size,
      ])
    }
    try db.execute(sql: "INSERT INTO origin VALUES (?)", arguments: [origin])
    try db.execute(sql: "INSERT INTO search(search) VALUES ('rebuild')")
    try db.execute(sql: "INSERT INTO search(search) VALUES ('optimize')")
  }
}
