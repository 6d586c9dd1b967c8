// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import FleetWork
import Foundation
import Testing

@testable import Fleet

/// The program itself, with everything that it takes down.
@Suite(.serialized) struct FleetTests {
  /// Returns whether an engine's server is installed; where it has to be, its absence is a failure.
  private static func canRun(_ engine: Engine) -> Bool {
    let program = [Engine.nats: "nats-server", .redis: "redis-server"][engine]
    guard let program, !isInstalled(program) else { return true }
    if ProcessInfo.processInfo.environment["PENSTOCK_CI"] != nil { Issue.record("\(program) is not installed") }
    print("FleetTests: \(program) is not installed, so that nothing is tested on \(engine.rawValue)")
    return false
  }

  @Test(arguments: Engine.allCases)
  func `No order that was confirmed is missing, whatever is taken down`(_ engine: Engine) async throws {
    guard Self.canRun(engine) else { return }
    let output = try await run("--on", engine.rawValue, "--kill", "--plain", "--seconds", "20", "--rate", "500")
    #expect(output.status == 0, "\(output.text)")
    #expect(output.text.contains("missing                              0"), "\(output.text)")
    // Something has been taken down: otherwise nothing was tested.
    #expect(output.text.contains("w1 is killed") && output.text.contains("w2 is told to stop"), "\(output.text)")
    #expect(output.text.contains("w3 is paused") == (engine != .memory), "\(output.text)")
  }

  @Test(arguments: [["--rate", "0"], ["--workers", "0"], ["--seconds", "0"], ["--outage", "0"], ["--on", "kafka"]])
  func `Bad options are refused with what is allowed`(_ arguments: [String]) async throws {
    let output = try await run(arguments)
    #expect(output.status == 64)
    #expect(output.text.contains("Usage") && output.text.contains("Error"))
  }

  private func run(_ arguments: String...) async throws -> (status: Int32, text: String) { try await run(arguments) }

  private func run(_ arguments: [String]) async throws -> (status: Int32, text: String) {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(
          path: "Fleet")
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = pipe
        do {
          try process.run()
          let data = pipe.fileHandleForReading.readDataToEndOfFile()
          process.waitUntilExit()
          continuation.resume(returning: (process.terminationStatus, String(decoding: data, as: UTF8.self)))
        } catch {
          continuation.resume(throwing: error)
        }
      }
    }
  }
}
