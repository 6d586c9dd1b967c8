// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A failure that the kit reports where nothing can be thrown: a recording that is released with events that nobody has
/// read, a test that sends more than was requested, a rule that a `verified(_:isForced:file:line:)` stream breaks, and,
/// if a test has set a handler, virtual time that gets no further.
///
/// The kit imports no test framework. By default a failure is written to the standard error stream, in the form that
/// editors know, and the process exits with a failure when it ends, so that the run is reported as failed and the other
/// tests still run. Give it a handler to make it an issue of the test that runs:
///
/// ```text
/// // Swift Testing, in `init` of the suite:
/// TestFailure.handle { Issue.record("\($0.message)") }
/// // XCTest, in `setUp`:
/// TestFailure.handle { XCTFail($0.message, file: $0.file, line: $0.line) }
/// ```
///
/// **Concurrency:** the process has one handler. It is called on the thread that finds the failure, without a lock.
public struct TestFailure: Error, Sendable, CustomStringConvertible {
  /// A description of what has gone wrong, with the recorded events.
  public let message: String

  /// The file of the line in the test to which the failure belongs.
  public let file: StaticString

  /// The line in the test to which the failure belongs.
  public let line: UInt

  init(_ message: String, file: StaticString, line: UInt) {
    (self.message, self.file, self.line) = (message, file, line)
  }

  /// The place and the message.
  public var description: String { "\(file):\(line): \(message)" }

  private static let handler = Locked<(@Sendable (TestFailure) -> Void)?>(nil)

  /// Sets what is done with a failure that cannot be thrown; `nil` for the default.
  public static func handle(_ handler: (@Sendable (TestFailure) -> Void)?) {
    self.handler.replace(with: handler)
  }

  /// Whether a handler is set.
  static var isHandled: Bool { handler.value != nil }

  /// Hands the failure to the handler.
  func report() {
    if let handler = Self.handler.value { return handler(self) }
    writeError("\(file):\(line): error: \(message)")
    failAtExit()
  }
}
