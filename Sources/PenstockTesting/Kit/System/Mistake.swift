// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Stops the process, in every build configuration, with a message that names the rule and the fix: `precondition` would
/// drop its message in release builds.
func mistake(_ message: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
  fatalError("Penstock: " + message, file: file, line: line)
}
