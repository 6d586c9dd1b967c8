// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import DeliveryRules
import Foundation
import PenstockConcurrency
import PenstockCore
import Testing

/// The engine of the page, as the rules see it: it counts nothing, and nobody drains it.
private struct FolderEngine: DeliveryEngine {
  let deadline: Duration
  private let queue: FolderQueue

  init(_ folder: URL, deadline: Duration) throws {
    self.deadline = deadline
    queue = try FolderQueue(folder, deadline: deadline)
  }

  func publish(_ texts: [String], headers: [String: String]) throws {
    for text in texts { try queue.publish(Array(text.utf8), headers: headers) }
  }

  func deliveries(batch: ClosedRange<Int>, refillAt lowMark: Int?) -> AnyPublisher<FolderDelivery, any Error> {
    queue.deliveries(batch: batch, refillAt: lowMark).eraseToAnyPublisher()
  }

  func text(of item: FolderDelivery) -> String { String(decoding: item.payload, as: UTF8.self) }

  func unsettled() throws -> Int { try queue.count(in: "taken") }

  func kept() throws -> Int { try queue.count(in: "taken") + queue.count(in: "ready") }
}

@Suite struct OwnEngineTests {
  @Test(arguments: DeliveryRule.allCases)
  func `The engine of the page keeps the rules of deliveries`(_ rule: DeliveryRule) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "penstock-folder-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await rule.check(FolderEngine(folder, deadline: rule.deadline(short: .seconds(3))))
  }

  @Test func `The page quotes the engine that is checked here`() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent()
    let root = tests.deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(
      contentsOf: root.appending(
        path: "Sources/PenstockConcurrency/PenstockConcurrency.docc/AnEngineOfYourOwn.md"), encoding: .utf8)
    let file = try String(contentsOf: tests.appending(path: "FolderQueue.swift"), encoding: .utf8)
    let engine = try #require(file.components(separatedBy: "compares the two.\n\n").last)
    #expect(engine.split(separator: "\n").count < 150)
    #expect(page.contains(engine.trimmingCharacters(in: .newlines)))
  }
}
