// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import FleetWork
import Foundation
import Synchronization

/// A process that reports what it does.
final class Child: Sendable {
  private let process: Mutex<Process>
  private let isOver = AsyncStream<Void>.makeStream()
  private let rest = Mutex<[UInt8]>([])

  /// Starts this program again, with other arguments.
  ///
  /// - Parameter onReport: A closure that gets each report, in order.
  init(_ arguments: [String], onReport: @escaping @Sendable (Report) -> Void) throws {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    process.arguments = arguments
    process.standardOutput = pipe
    self.process = Mutex(process)
    try process.run()
    // Closes its own end of the pipe; otherwise the other side's end would not be noticed.
    try? pipe.fileHandleForWriting.close()
    // Not with a readabilityHandler: on Linux the process sometimes stopped within Dispatch's event loop, which still
    // had a source for the descriptor of a handle that had been released.
    Thread.detachNewThread { [self] in
      while true {
        let data = pipe.fileHandleForReading.availableData
        if data.isEmpty { break }
        for report in reports(data) { onReport(report) }
      }
      // Everything that the process wrote before it ended has been read, however it ended.
      isOver.continuation.finish()
    }
  }

  private func reports(_ data: Data) -> [Report] {
    rest.withLock { rest in
      rest += data
      var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let last = Array(lines.removeLast())
      let reports = lines.compactMap { Report(line: String(decoding: $0, as: UTF8.self)) }
      rest = last
      return reports
    }
  }

  func send(_ signal: Int32) { _ = Foundation.kill(process.withLock { $0.processIdentifier }, signal) }

  /// Waits until the process has ended, and everything is read that it has written.
  func ended() async {
    for await _ in isOver.stream {}
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        self.process.withLock { $0.waitUntilExit() }
        continuation.resume()
      }
    }
  }
}
