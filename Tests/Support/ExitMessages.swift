// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Testing

/// Checks the message of a process that has trapped.
public func expectMessage(
  _ result: ExitTest.Result?, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  #expect(output.contains(text), "the process said: \(output)", sourceLocation: sourceLocation)
}
