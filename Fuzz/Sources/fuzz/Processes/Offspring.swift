// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation

/// A child process, supervised.
final class Offspring: @unchecked Sendable {
  struct Result {
    /// The number of programs that have been started.
    var count = 0
    var lastSeed: UInt64?
    var failure: Verdict.Failure?
  }

  private let process = Process()
  private let output = Pipe()
  private let errors: URL
  private let lastSign = Guard(DispatchTime.now())
  private let isKilled = Guard(false)

  init(arguments: [String]) throws {
    errors = FileManager.default.temporaryDirectory.appending(path: "fuzz-\(UUID().uuidString).txt")
    try Data().write(to: errors)
    process.executableURL = URL(filePath: CommandLine.arguments[0]).standardizedFileURL
    #if os(Linux)
      process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    #endif
    process.arguments = arguments
    var environment = ProcessInfo.processInfo.environment
    // The first report ends the child, so that it can be attributed to one program.
    environment["TSAN_OPTIONS"] = "halt_on_error=1:exitcode=66:" + (environment["TSAN_OPTIONS"] ?? "")
    environment["SWIFT_BACKTRACE"] = environment["SWIFT_BACKTRACE"] ?? "enable=no"
    process.environment = environment
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: errors)
  }

  /// Runs the child to its end.
  ///
  /// - Parameter patience: The number of seconds without output after which the child is killed.
  func run(patience: Double) throws -> Result {
    defer { try? FileManager.default.removeItem(at: errors) }
    try process.run()
    let watch = DispatchSource.makeTimerSource(queue: .global())
    watch.schedule(deadline: .now() + 1, repeating: 1)
    watch.setEventHandler { [self] in
      if Double(DispatchTime.now().uptimeNanoseconds - lastSign.value.uptimeNanoseconds) > patience * 1e9 {
        isKilled.change { $0 = true }
        kill(process.processIdentifier, SIGKILL)
      }
    }
    watch.resume()
    var result = Result()
    var rest = ""
    while true {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      lastSign.change { $0 = .now() }
      rest += String(decoding: data, as: UTF8.self)
      while let end = rest.firstIndex(of: "\n") {
        note(String(rest[..<end]), in: &result)
        rest = String(rest[rest.index(after: end)...])
      }
    }
    process.waitUntilExit()
    watch.cancel()
    if result.failure == nil { result.failure = death() }
    return result
  }

  private func note(_ line: String, in result: inout Result) {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    switch words.first {
    case "run":
      result.count += 1
      result.lastSeed = UInt64(words[1])
    case "broken":
      result.failure = Rule(rawValue: words[1]).map { Verdict.Failure(rule: $0, detail: words.last ?? "") }
    default: break
    }
  }

  /// The cause of the child's end.
  private func death() -> Verdict.Failure? {
    if process.terminationReason == .exit, process.terminationStatus == 0 { return nil }
    let text = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
    let tail = text.split(separator: "\n").suffix(120).joined(separator: "\n")
    if isKilled.value { return .init(rule: .hang, detail: "killed\n\(tail)") }
    if process.terminationStatus == 66, process.terminationReason == .exit { return .init(rule: .race, detail: tail) }
    return .init(rule: .trap, detail: "status \(process.terminationStatus)\n\(tail)")
  }
}
