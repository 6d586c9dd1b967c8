// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import LoopbackClient

/// ItemSearch, running as a separate process.
final class ServerProcess: Sendable {
  /// What the server reports about itself.
  struct Counts: Decodable, Sendable {
    struct Queries: Decodable, Sendable {
      let queued: Int
      let withdrawn: Int
      let began: Int
      let finished: Int
      let interrupted: Int
      let failed: Int
      let open: Int
      let longestMs: Double
      let longestAfterInterruptMs: Double
    }

    let visitors: Int
    let queries: Queries
  }

  struct Ended: Error {}

  let client: Client
  private let process: Int32

  init(database: String) throws {
    let (process, pipe) = (Process(), Pipe())
    let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    process.executableURL = folder.appending(path: "ItemSearch")
    process.arguments = ["--port", "0", "--database", database]
    process.standardOutput = pipe
    try process.run()
    var text = ""
    while true {
      if let match = text.firstMatch(of: /Open http:\/\/127\.0\.0\.1:(\d+)/) {
        client = Client(port: Int(match.output.1)!)
        break
      }
      let more = pipe.fileHandleForReading.availableData
      guard !more.isEmpty else { throw Ended() }
      text += String(decoding: more, as: UTF8.self)
    }
    self.process = process.processIdentifier
  }

  func stop() { kill(process, SIGTERM) }

  /// Returns how much of the machine's memory the process uses.
  func residentKiB() throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    guard let match = status.firstMatch(of: /VmRSS:\s+(\d+) kB/) else { throw Ended() }
    return Int(match.output.1)!
  }

  /// Returns the counts, as soon as they are as expected, or half a minute has passed.
  func counts(_ isExpected: (Counts) -> Bool = { _ in true }) async throws -> Counts {
    let end = ContinuousClock.now + .seconds(30)
    while true {
      let text = try await client.request(.GET, "/counts") { try await $0.rest() }
      let counts = try JSONDecoder().decode(Counts.self, from: Data(text.utf8))
      if isExpected(counts) || ContinuousClock.now > end { return counts }
      try await Task.sleep(for: .milliseconds(20))
    }
  }
}
