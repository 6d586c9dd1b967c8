// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

/// The words that a visitor looks for, made of any text.
///
/// The syntax of FTS5 is plain text here: words are quoted, and everything else is left out. The number of words and
/// the length of the text are limited, since each word costs a query time: with some thousands of words it would never
/// end.
struct SearchTerms: Equatable {
  /// How many words count; the others are left out.
  static let maximumWords = 8

  /// How many Unicode scalars of a text count.
  static let maximumLength = 200

  /// A word with fewer letters begins too many others: ranking them takes longer than a visitor waits.
  static let shortestToRank = 3

  let words: [String]

  /// The whole text, in lower case and without spaces around it.
  let text: String

  /// Whether the text has signs that words do not have, as `g++` and `.net`: the names that have them come first.
  let hasSigns: Bool

  init(_ text: String) {
    let scalars = text.unicodeScalars.prefix(Self.maximumLength)
    let edges = scalars.drop { $0.properties.isWhitespace }
    let end = edges.lastIndex { !$0.properties.isWhitespace }.map(edges.index(after:)) ?? edges.startIndex
    self.text = String(String.UnicodeScalarView(edges[..<end])).lowercased()
    hasSigns = edges.contains { !Self.isPartOfWord($0) && !$0.properties.isWhitespace && $0 != "-" }
    words =
      scalars
      .split { !Self.isPartOfWord($0) }
      .prefix(Self.maximumWords)
      .map { String(String.UnicodeScalarView($0)) }
  }

  private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  /// The words as an FTS5 query, in which each begins a word of the item, in any order; `nil` if there are none.
  var expression: String? {
    words.isEmpty ? nil : words.map { "\"\($0)\" *" }.joined(separator: " ")
  }

  var canBeRanked: Bool { words.allSatisfy { $0.unicodeScalars.count >= Self.shortestToRank } }
}
