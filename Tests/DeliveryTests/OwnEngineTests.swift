// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import PenstockDeliveryTesting
import Testing

@Suite struct OwnEngineTests {
  @Test(arguments: DeliveryRule.all)
  func `The engine of the page keeps the rules of deliveries`(_ rule: DeliveryRule) async throws {
    var verification = DeliveryVerification("folder") { try FolderEngine($0) }
    verification.timeLimit = .seconds(300)
    try await verification.check(rule)
  }

  @Test(arguments: ["FolderQueue", "FolderEngine"])
  func `The page quotes the code that is checked here, and it is short`(_ name: String) throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent()
    let root = tests.deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(
      contentsOf: root.appending(
        path: "Sources/PenstockConcurrency/PenstockConcurrency.docc/AnEngineOfYourOwn.md"), encoding: .utf8)
    let file = try String(contentsOf: tests.appending(path: "\(name).swift"), encoding: .utf8)
    let engine = try #require(file.components(separatedBy: "compares the two.\n\n").last)
    #expect(engine.split(separator: "\n").count < 150)
    #expect(page.contains(engine.trimmingCharacters(in: .newlines)))
  }
}
