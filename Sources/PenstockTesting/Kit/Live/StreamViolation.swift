// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A rule that a running stream has broken, found by `verified(_:isForced:file:line:)`.
public struct StreamViolation: Error, Sendable, CustomStringConvertible {
  /// The side of the stream that broke the rule.
  public enum Side: String, Sendable {
    /// The publisher above.
    case upstream
    /// The subscriber below.
    case downstream
  }

  /// The rule.
  public let rule: Rule

  /// The side that broke it.
  public let side: Side

  /// A description of what happened.
  public let text: String

  /// The name that the stream was given.
  public let name: String

  /// The last calls, with the bad one marked.
  public let trace: Trace

  /// The file of the line where the stream is verified.
  public let file: StaticString

  /// The line where the stream is verified.
  public let line: UInt

  /// The finding, with the trace, the likely cause and where the rule is explained.
  public var description: String {
    """
    \(name.isEmpty ? "" : name + ": ")\(rule) [\(rule.severity.rawValue), \(side.rawValue)]: \(text)
    \(trace)
      Likely cause: \(rule.cause)
      Explained in: PenstockTesting, Rules, \(rule.id)
    """
  }

  private static let handler = Locked<(@Sendable (StreamViolation) -> Void)?>(nil)

  /// Sets what is done with each violation in the process; `nil` for the default, which reports a ``TestFailure``.
  ///
  /// ```text
  /// StreamViolation.handle { logger.error("\($0)") }   // in an app
  /// StreamViolation.handle { fatalError("\($0)") }     // where nothing may be overlooked
  /// ```
  public static func handle(_ handler: (@Sendable (StreamViolation) -> Void)?) {
    self.handler.replace(with: handler)
  }

  func report() {
    if let handler = Self.handler.value { return handler(self) }
    TestFailure(description, file: file, line: line).report()
  }
}
