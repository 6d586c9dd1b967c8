// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// Quotes and dashes that text processors put in the place of those that are typed.
///
/// A diagram that came by way of a document or a chat has them. Taken for values they would make a test of something else,
/// without a word.
internal enum MarbleTypography {
  private static let quotes: Set<Character> = ["“", "”", "„", "‟", "‘", "’", "‚", "‛", "«", "»", "‹", "›"]
  private static let dashes: Set<Character> = ["—", "–", "−", "‐", "‑", "‒", "―"]

  static func isQuote(_ character: Character) -> Bool { quotes.contains(character) }

  static func isTypographic(_ character: Character) -> Bool { isQuote(character) || dashes.contains(character) }

  /// What is written in place of a character; `nil` if it is none of these.
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
