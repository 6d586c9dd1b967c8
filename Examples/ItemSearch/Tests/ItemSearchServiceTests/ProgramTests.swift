// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import LoopbackClient
import Testing

@Suite("ItemSearch, run as a program", .timeLimit(.minutes(2)))
struct ProgramTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "item-search-\(UUID())")

  private func start(_ arguments: String...) throws -> Program {
    try Program("ItemSearch", ["--shipped", "--database", folder.appending(path: "items.sqlite").path] + arguments)
  }

  @Test func `prints its address, and ends with success when it is told to stop while visitors listen`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let program = try start("--port", "0")
    let port = try program.prints(/Open http:\/\/127\.0\.0\.1:(\d+) in a browser/).1
    let isEnded = try await Client(port: Int(port)!).request(.GET, "/events") { response in
      guard try await response.block()?.hasPrefix("event: welcome\n") == true else { return false }
      program.stop()
      while try await response.block() != nil {}
      return true
    }
    #expect(isEnded)
    let (status, text) = program.end()
    #expect(status == 0)
    #expect(text.contains("filling the database"))
    #expect(text.contains("database closed"))
    // All of it is in the file, and nothing is left in the write-ahead log.
    let log = try? FileManager.default.attributesOfItem(atPath: folder.appending(path: "items.sqlite-wal").path)
    #expect((log?[.size] as? Int ?? 0) == 0)
    let again = try start("--port", "0")
    _ = try again.prints(/Open http/)
    again.stop()
    #expect(!again.end().text.contains("filling"))
  }

  @Test func `says that its port is taken`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let first = try start("--port", "0")
    let port = try first.prints(/Open http:\/\/127\.0\.0\.1:(\d+)/).1
    let (status, text) = try start("--port", String(port)).end()
    #expect(status == 1)
    #expect(text.contains("Port \(port) is taken. Choose another one with --port"))
    first.stop()
    #expect(first.end().status == 0)
  }

  @Test(arguments: [
    (["--database", "/proc/items.sqlite"], 1 as Int32, "The database /proc/items.sqlite can't be opened"),
    (["--database", "/etc/hostname"], 1, "--database"),
    (["--hostname", "192.0.2.1"], 1, "192.0.2.1 is no address of this machine"),
    (["--port", "70000"], 64, "a port is a number from 0 to 65535"),
  ])
  func `says what is wrong`(arguments: [String], expectedStatus: Int32, message: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let database = ["--database", folder.appending(path: "items.sqlite").path]
    let program = try Program(
      "ItemSearch", ["--shipped"] + (arguments.contains("--database") ? [] : database) + arguments)
    let (status, text) = program.end()
    #expect(status == expectedStatus)
    #expect(text.contains(message))
    #expect(!text.contains("Fatal error"))
  }
}
