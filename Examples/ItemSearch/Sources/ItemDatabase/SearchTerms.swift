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

  init(_ text: String) {
    words = text.unicodeScalars.prefix(Self.maximumLength)
      .split { !($0.properties.isAlphabetic || $0.properties.numericType != nil) }
      .prefix(Self.maximumWords)
      .map { String(String.UnicodeScalarView($0)) }
  }

  /// The words as an FTS5 query, in which each begins a word of the item, in any order; `nil` if there are none.
  var expression: String? {
    words.isEmpty ? nil : words.map { "\"\($0)\" *" }.joined(separator: " ")
  }

  var canBeRanked: Bool { words.allSatisfy { $0.unicodeScalars.count >= Self.shortestToRank } }
}
