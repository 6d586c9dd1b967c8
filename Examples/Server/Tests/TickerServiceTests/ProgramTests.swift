// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import LoopbackClient
import Testing

@Suite("TickerServer, run as a program", .timeLimit(.minutes(2)))
struct ProgramTests {
  private func program(_ arguments: [String]) throws -> (process: Process, output: FileHandle) {
    // The tests' own program is beside it.
    let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = folder.appending(path: "TickerServer")
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    return (process, pipe.fileHandleForReading)
  }

  @Test func `ends with success when it is told to stop while a client listens`() async throws {
    let (process, output) = try program(["--port", "0", "--feed", "0"])
    defer { process.terminate() }
    var log = ""
    while !log.contains(/listening on 127\.0\.0\.1:\d+/) {
      let more = output.availableData
      try #require(!more.isEmpty, "the program has ended: \(log)")
      log += String(decoding: more, as: UTF8.self)
    }
    let port = try #require(log.firstMatch(of: /127\.0\.0\.1:(\d+)/)).output.1
    try await Client(port: Int(port)!).request(.GET, "/summaries") { response in
      let greeting = try await response.block()
      #expect(greeting == ": connected")
      process.terminate()
      let end = try await response.block()
      #expect(end == nil)
    }
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 0)
  }

  @Test(arguments: [["--port", "70000"], ["--feed", "-1"]])
  func `refuses what makes no sense`(arguments: [String]) throws {
    let (process, output) = try program(arguments)
    let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 64)
    #expect(text.contains("Error: "))
  }
}
