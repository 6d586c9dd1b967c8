// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import GRDB
public import Penstock
import PenstockConcurrency

extension ItemDatabase {
  /// Returns the items that contain words beginning with the words of a filter.
  ///
  /// An empty filter makes no query, and finds nothing. The item with exactly that name comes first; of a filter with
  /// signs, such as `c++`, those that have it in their name or text as it is come before those that have its words.
  ///
  /// **Demand:** one value, which waits until it is requested; the query begins with the subscription.
  ///
  /// **Completion:** after the value.
  ///
  /// **Failure:** SQLite's error.
  ///
  /// **Concurrency:** each subscription is a query. A cancel takes it back while it waits, and interrupts it while it
  /// runs. The value is delivered on one of Swift's own threads.
  ///
  /// - Parameters:
  ///   - filter: What the visitor has typed. The syntax of FTS5 counts as plain text.
  ///   - onEvent: Called with what happens to this query, on any thread.
  public func items(
    matching filter: String, onEvent: @escaping @Sendable (QueryEvent) -> Void = { _ in }
  ) -> AnyPublisher<[Item], any Error> {
    let terms = SearchTerms(filter)
    guard terms.expression != nil || terms.hasSigns else {
      return Just([]).setFailureType(to: (any Error).self).eraseToAnyPublisher()
    }
    return Deferred { [self] () async throws -> [Item] in
      try await run(onEvent: onEvent) { db in
        let first = try terms.hasSigns ? Self.literal(terms.text, db) : Self.named(terms.text, db)
        guard let expression = terms.expression else { return first }
        let more = try terms.canBeRanked ? Self.ranked(expression, terms, db) : Self.unranked(expression, db)
        return Self.joined(first, more)
      }
    }
    .eraseToAnyPublisher()
  }

  /// Returns everything that is known about an item.
  ///
  /// - Parameter id: The item.
  /// - Returns: The record, or `nil` if there is no such item.
  public func record(of id: Item.ID) async throws -> ItemRecord? {
    try await run { db in try ItemRecord.fetchOne(db, key: id) }
  }

  /// Runs a query when its turn comes.
  func run<Result: Sendable>(
    onEvent: @escaping @Sendable (QueryEvent) -> Void = { _ in },
    _ work: @escaping @Sendable (Database) throws -> Result
  ) async throws -> Result {
    let query = Query { [report] event in
      report(event)
      onEvent(event)
    }
    return try await withTaskCancellationHandler {
      do {
        return try await pool.read { db in
          try query.begin()
          let result = Swift.Result { try work(db) }
          query.end(failed: (try? result.get()) == nil)
          return try result.get()
        }
      } catch {
        // If it had begun, its end has been reported.
        query.end(failed: true)
        throw error
      }
    } onCancel: {
      query.cancel()
    }
  }

  private static func named(_ name: String, _ db: Database) throws -> [Item] {
    try SQLRequest<Item>(
      sql: "SELECT id, name, section, summary FROM item WHERE name = ?", arguments: [name], cached: true
    ).fetchAll(db)
  }

  /// Returns the items that have a text in their name or summary, those first whose name begins with it.
  private static func literal(_ text: String, _ db: Database) throws -> [Item] {
    try SQLRequest<Item>(
      sql: """
        SELECT id, name, section, summary FROM item WHERE instr(lower(name), :text) OR instr(lower(summary), :text)
        ORDER BY lower(name) <> :text, instr(lower(name), :text) <> 1, instr(lower(name), :text) = 0, length(name), id
        LIMIT \(limit)
        """,
      arguments: ["text": text], cached: true
    ).fetchAll(db)
  }

  /// Returns both lists, with each item once, up to the limit.
  private static func joined(_ first: [Item], _ more: [Item]) -> [Item] {
    let known = Set(first.map(\.id))
    return Array((first + more.filter { !known.contains($0.id) }).prefix(limit))
  }

  /// Returns the item with that name, and the best of those that match, if they are few enough to be ranked.
  private static func ranked(_ expression: String, _ terms: SearchTerms, _ db: Database) throws -> [Item] {
    let isNarrow =
      try SQLRequest<Int>(
        sql: "SELECT count(*) FROM (SELECT 1 FROM search WHERE search MATCH ? LIMIT 1001)", arguments: [expression],
        cached: true
      ).fetchOne(db)! <= 1000
    guard isNarrow else { return try unranked(expression, db) }
    // Names and texts are read only for the items that are left, and not for all that were ranked.
    return try SQLRequest<Item>(
      sql: """
        SELECT item.id, item.name, item.section, item.summary
        FROM (
          SELECT rowid AS id, bm25(search, 8, 1) AS place FROM search WHERE search MATCH ? ORDER BY place LIMIT \(limit)
        ) AS found JOIN item USING (id)
        ORDER BY item.name <> ?, found.place, item.id
        """,
      arguments: [expression, terms.words.joined(separator: "-").lowercased()], cached: true
    ).fetchAll(db)
  }

  /// Returns the first that match by name, and then by summary: SQLite stops at the limit, and reads no further row.
  private static func unranked(_ expression: String, _ db: Database) throws -> [Item] {
    func first(_ expression: String) throws -> [Item] {
      try SQLRequest<Item>(
        sql: """
          SELECT item.id, item.name, item.section, item.summary FROM search JOIN item ON item.id = search.rowid
          WHERE search MATCH ? ORDER BY search.rowid LIMIT \(limit)
          """,
        arguments: [expression], cached: true
      ).fetchAll(db)
    }
    let named = try first("name : (\(expression))")
    guard named.count < limit else { return named }
    return joined(named, try first(expression))
  }
}
