// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Testing

/// After a hop to the main thread a closure of the main actor runs, whichever thread has sent the value.
@Suite struct MainLoopTests {
  @Test(arguments: [
    "queue", "loop", "operations", "any queue", "any loop", "any operations", "delay", "debounce", "timer",
  ])
  func `A closure of the main actor runs behind a hop to a scheduler of the main thread`(_ hop: String) async throws {
    let end = try await run(hop)
    #expect(end.reason == .exit)
    #expect(end.status == 0)
  }

  @Test func `Without a hop the same program is stopped`() async throws {
    #expect(try await run("none").reason == .uncaughtSignal)
  }

  /// Runs the program `MainLoopClient` until it ends.
  private func run(_ hop: String) async throws -> (reason: Process.TerminationReason, status: Int32) {
    // The program is in the same folder as the tests.
    let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    let folder = (tests ?? URL(filePath: CommandLine.arguments[0])).deletingLastPathComponent()
    let process = Process()
    process.executableURL = folder.appending(path: "MainLoopClient")
    process.arguments = [hop]
    // A stopped process writes a long backtrace.
    process.standardError = FileHandle.nullDevice
    return try await withCheckedThrowingContinuation { continuation in
      process.terminationHandler = { continuation.resume(returning: ($0.terminationReason, $0.terminationStatus)) }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
  }
}
