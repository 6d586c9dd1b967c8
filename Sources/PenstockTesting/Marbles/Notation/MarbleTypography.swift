// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Quotes and dashes that text processors put in place of the typed ones.
///
/// A diagram that was copied from a document or a chat has them. If they were taken for values, they would silently
/// make a test of something else.
internal enum MarbleTypography {
  private static let quotes: Set<Character> = ["“", "”", "„", "‟", "‘", "’", "‚", "‛", "«", "»", "‹", "›"]
  private static let dashes: Set<Character> = ["—", "–", "−", "‐", "‑", "‒", "―"]

  static func isQuote(_ character: Character) -> Bool { quotes.contains(character) }

  static func isTypographic(_ character: Character) -> Bool { isQuote(character) || dashes.contains(character) }

  /// The character to write in place of another; `nil` if that is none of these.
  static func hint(_ character: Character) -> String? {
    if isQuote(character) {
      return
        "; it is a typographic quotation mark: write ' before and behind a text, and the mark itself as '\(character)'"
    }
    if dashes.contains(character) {
      let number = character == "—" ? ", or -- where it stands for two" : ""
      return "; it is a typographic dash: write -\(number), and the dash itself as '\(character)'"
    }
    return nil
  }
}
