// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import ItemDatabase
import Penstock
import PenstockConcurrency
import Testing

@testable import ItemSearchService

@Suite("The database as a visitor sees it", .timeLimit(.minutes(2)))
struct VisitorDatabaseTests {
  @Test func `asks nothing before the answer before has been read`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "item-search-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let counts = QueryCounts()
    let database = try ItemDatabase(path: folder.appending(path: "items.sqlite").path, source: .shipped) {
      counts.count($0)
    }
    let source = VisitorDatabase(database, log: VisitorLog(), scheduler: TaskScheduler())

    // An answer that never got to the list holds up nothing.
    for await items in source.loadItemsMatchingFilter("pelton").values { #expect(items.count == 3) }
    for await items in source.loadItemsMatchingFilter("pelton").values { #expect(items.count == 3) }
    source.answerIsShown()
    let second = source.loadItemsMatchingFilter("kaplan").sink { _ in }
    // Somebody else's question is answered meanwhile.
    for try await items in database.items(matching: "ram").values { #expect(items.count == 3) }
    #expect(counts.now.queued == 3)
    second.cancel()
    source.answerIsRead()
    for await items in source.loadItemsMatchingFilter("francis").values { #expect(items.count == 3) }
    // The second was taken back before it had become a query.
    #expect(counts.now.queued == 4)
    #expect(counts.now.finished == 4)
  }
}
