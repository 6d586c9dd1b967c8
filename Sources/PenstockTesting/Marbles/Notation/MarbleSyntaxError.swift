// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// A mistake in the text of a ``MarbleDiagram``.
///
/// Its description shows the line, a caret below the mistake, and what is allowed there.
public struct MarbleSyntaxError: Error, Sendable {
  /// The number of the line, from 1.
  public let line: Int

  /// The number of the column, from 1.
  public let column: Int

  /// A description of the mistake.
  public let problem: String

  /// A description of what is allowed there.
  public let allowed: String

  /// The line with the mistake.
  public let text: String

  internal init(_ problem: String, allowed: String, at place: MarblePlace, in lines: [[Character]]) {
    line = place.line + 1
    column = place.column + 1
    self.problem = problem
    self.allowed = allowed
    text = place.line < lines.count ? String(lines[place.line]) : ""
  }
}

extension MarbleSyntaxError: CustomStringConvertible {
  /// The place, the problem, the line with a caret below it, and what is allowed there.
  public var description: String { "line \(line), column \(column): \(explanation)" }

  /// The description for a text in a file, with the place as compilers write it.
  package func description(inFile file: String) -> String { "\(file):\(line):\(column): \(explanation)" }

  private var explanation: String {
    let caret = String(repeating: " ", count: displayWidth(of: text.prefix(column - 1)))
    return """
      \(problem)

        \(String(text.map { $0 == "\t" ? " " : $0 }))
        \(caret)^
      allowed here: \(allowed)
      """
  }
}

/// The number of columns that a text takes if all letters are equally wide.
internal func displayWidth(of text: some StringProtocol) -> Int {
  text.reduce(0) { width, character in
    let scalar = character.unicodeScalars.first!
    let isWide =
      scalar.properties.isEmojiPresentation || (0x1100...0x115F).contains(scalar.value)
      || (0x2E80...0xA4CF).contains(scalar.value) || (0xAC00...0xD7A3).contains(scalar.value)
      || (0xFF00...0xFF60).contains(scalar.value)
    return width + (isWide ? 2 : 1)
  }
}
