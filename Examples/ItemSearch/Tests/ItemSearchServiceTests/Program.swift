// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Testing

/// A program that runs beside the tests.
final class Program {
  private let process = Process()
  private let output: FileHandle
  private var log = ""

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - path: Its path; a bare name is a program that this package builds.
  ///   - arguments: Its arguments.
  init(_ path: String, _ arguments: [String]) throws {
    let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let pipe = Pipe()
    output = pipe.fileHandleForReading
    process.executableURL = path.hasPrefix("/") ? URL(filePath: path) : folder.appending(path: path)
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
  }

  /// Reads what it prints until the expected text appears.
  func prints<Output>(_ expected: some RegexComponent<Output>) throws -> Output {
    try #require(printsIfItRuns(expected), "the program has ended: \(log)")
  }

  /// Reads what it prints until the expected text appears.
  ///
  /// - Returns: `nil` if it ends before that.
  func printsIfItRuns<Output>(_ expected: some RegexComponent<Output>) -> Output? {
    while true {
      if let match = log.firstMatch(of: expected) { return match.output }
      let more = output.availableData
      if more.isEmpty { return nil }
      log += String(decoding: more, as: UTF8.self)
    }
  }

  /// Asks it to stop.
  func stop() { process.terminate() }

  /// Ends it without asking, and waits until it is gone.
  ///
  /// A program inherits the signals that are blocked on the thread that starts it; a program that doesn't unblock them,
  /// such as chromedriver, never receives the signal to stop.
  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Waits for its end.
  ///
  /// - Returns: Its status, and everything that it has printed.
  func end() -> (status: Int32, text: String) {
    log += String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationReason == .exit ? process.terminationStatus : -1, log)
  }

  deinit { if process.isRunning { kill() } }
}
