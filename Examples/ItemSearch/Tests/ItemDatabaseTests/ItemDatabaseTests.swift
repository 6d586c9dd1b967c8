// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import GRDB
import Penstock
import Testing

@testable import ItemDatabase

@Suite("A database of items", .timeLimit(.minutes(2)))
struct ItemDatabaseTests {
  private let file = TemporaryFile()
  private let counts = QueryCounts()

  private func open(_ source: ItemSource = .shipped, connections: Int? = nil) throws -> ItemDatabase {
    let counts = counts
    return try ItemDatabase(path: file.path, source: source, connections: connections) { counts.count($0) }
  }

  private func names(_ database: ItemDatabase, _ filter: String) async throws -> [String] {
    for try await items in database.items(matching: filter).values { return items.map(\.name) }
    return []
  }

  @Test func `finds words that begin as those of the filter, in any order`() async throws {
    let database = try open()
    #expect(database.origin == "the example's own list")
    #expect(
      try await names(database, "turb pel").sorted() == [
        "pelton-turbine-500kw", "pelton-turbine-50kw", "pelton-turbine-5kw",
      ])
    #expect(try await names(database, "VALVE 800 butter") == ["butterfly-valve-dn800"])
    #expect(try await names(database, "nothing has this").isEmpty)
  }

  @Test func `puts what has the name before what has the word in its text`() async throws {
    let database = try open(
      .records([
        ItemRecord(name: "a-book", summary: "all about weirs"),
        ItemRecord(name: "weir-crest", summary: "holds the level"),
      ]))
    // With ranking, and without.
    #expect(try await names(database, "weir") == ["weir-crest", "a-book"])
    #expect(try await names(database, "we") == ["weir-crest", "a-book"])
  }

  @Test(arguments: [
    ("g++", ["g++", "g++-14"]), ("c++", ["gcc-doc"]), (".net", ["asp.net", "netcat"]),
    ("go", ["go", "gofmt"]),
    ("GCC", ["gcc", "gcc-doc"]), ("++", ["g++", "g++-14", "gcc-doc"]),
  ])
  func `puts the exact name first, and takes signs as they are`(filter: String, expected: [String]) async throws {
    let names = ["gh", "gofmt", "go", "gcc-doc", "gcc", "netcat", "asp.net", "g++-14", "g++"]
    let database = try open(
      .records(names.map { ItemRecord(name: $0, summary: $0 == "gcc-doc" ? "how C++ is compiled" : "a tool") }))
    let found = try await self.names(database, filter)
    #expect(Array(found.prefix(expected.count)) == expected, "\(found)")
  }

  @Test func `gives no more than its limit, short names first where there is no ranking`() async throws {
    let database = try open()
    let found = try await names(database, "d")
    #expect(found.count == ItemDatabase.limit)
    #expect(found.first == "tee-dn15")
  }

  @Test(arguments: [
    "", "  ", "\"", "*", "'; DROP TABLE item; --", "NOT", "a OR", "name:", "{", "NEAR(", "\0", "^", "😀", "-",
  ])
  func `takes the syntax of FTS5 for text`(filter: String) async throws {
    let database = try open()
    _ = try await names(database, filter)
    #expect(counts.now.failed == 0)
    #expect(try await names(database, "weir crest 8m") == ["weir-crest-8m"])
  }

  @Test func `asks SQLite nothing where there is neither a word nor a sign`() async throws {
    let database = try open()
    #expect(try await names(database, "  - ").isEmpty)
    #expect(counts.now == QueryCounts.Snapshot())
  }

  @Test func `is ready soon for a filter of 100,000 characters`() async throws {
    let database = try open()
    #expect(try await names(database, String(repeating: "valve ", count: 16_667)).count == ItemDatabase.limit)
    #expect(counts.now.finished == 1)
  }

  @Test func `is filled once`() async throws {
    let count = try open().count
    #expect(count > 200)
    let again = try open(.records([ItemRecord(name: "other", summary: "")]))
    #expect(again.count == count)
    #expect(again.origin == "the example's own list")
  }

  @Test func `never sees a query that was given up while it waited`() async throws {
    let database = try open(connections: 1)
    let gate = Gate()
    async let first: Void = database.run { _ in gate.pass() }
    await gate.isReached()
    let second = database.items(matching: "valve").sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    second.cancel()
    let third = Task { try await names(database, "pelton") }
    gate.open()
    try await first
    #expect(try await third.value.count == 3)
    #expect(await becomes { counts.now.open == 0 })
    #expect(counts.now.withdrawn == 1)
    #expect(counts.now.began == 2)
  }

  @Test func `is interrupted in a query that was given up while it runs`() async throws {
    let database = try open(connections: 1)
    let endless = Deferred {
      try await database.run { db in
        try Int.fetchOne(
          db, sql: "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
      }
    }
    let cancellable = endless.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    #expect(await becomes { counts.now.began == 1 })
    cancellable.cancel()
    #expect(await becomes { counts.now.interrupted == 1 })
    // The connection is as good as before.
    #expect(try await names(database, "pelton").count == 3)
    #expect(counts.now.open == 0)
  }

  @Test func `says what is wrong with its file`() throws {
    let path = file.path
    try FileManager.default.createDirectory(
      at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(repeating: 7, count: 10_000).write(to: URL(filePath: path))
    #expect(throws: ItemDatabaseError.notADatabase(path: path)) { try open() }
    #expect {
      try ItemDatabase(path: path + "/items.sqlite", source: .shipped)
    } throws: { error in
      "\(error)".contains("can't be opened") && "\(error)".contains("--database")
    }
    #expect {
      try ItemDatabase(path: "/proc/items.sqlite", source: .shipped)
    } throws: { error in
      "\(error)".contains("can't be opened")
    }
  }

  @Test func `says that SQLite has no full-text search`() throws {
    // SQLite's error for a missing module, which may be any.
    let error = #expect(throws: DatabaseError.self) {
      try DatabaseQueue().write { db in try db.execute(sql: "CREATE VIRTUAL TABLE t USING fts99(name)") }
    }
    #expect(ItemDatabaseError(try #require(error), path: "") == .withoutFullTextSearch)
  }

  @Test func `knows all of an item`() async throws {
    let database = try open(.records([ItemRecord(name: "gate", summary: "opens", version: "1", size: 3)]))
    #expect(try await database.record(of: 1)?.version == "1")
    #expect(try await database.record(of: 2) == nil)
  }

  @Test func `fails what is asked after it has been closed`() async throws {
    let database = try open()
    try database.close()
    await #expect(throws: (any Error).self) { try await names(database, "valve") }
    #expect(counts.now.open == 0)
  }
}
