// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Testing

@testable import ItemDatabase

@Suite("The words of a filter")
struct SearchTermsTests {
  @Test(
    arguments: [
      ("", nil), ("   ", nil), ("\"'*^:(){}-+", nil), ("\0", nil),
      ("gate", "\"gate\" *"),
      ("gate-valve 2", "\"gate\" * \"valve\" * \"2\" *"),
      ("a OR b", "\"a\" * \"OR\" * \"b\" *"),
      ("name:x\" NEAR(y, 2)", "\"name\" * \"x\" * \"NEAR\" * \"y\" * \"2\" *"),
      ("Müße ½", "\"Müße\" * \"½\" *"),
    ] as [(String, String?)])
  func `are quoted, and nothing else is left`(text: String, expected: String?) {
    #expect(SearchTerms(text).expression == expected)
  }

  @Test func `are as many as a query can bear`() {
    #expect(SearchTerms(String(repeating: "ab ", count: 33_333)).words.count == SearchTerms.maximumWords)
    #expect(SearchTerms(String(repeating: "a", count: 100_000)).words.map(\.count) == [SearchTerms.maximumLength])
    // One character, of as many scalars.
    let stack = "a" + String(repeating: "\u{301}", count: 100_000)
    #expect(SearchTerms(stack).words.joined().unicodeScalars.count <= SearchTerms.maximumLength)
  }

  @Test(arguments: [("gat", true), ("ga", false), ("gate v", false)])
  func `are ranked if none of them is short`(text: String, isRanked: Bool) {
    #expect(SearchTerms(text).canBeRanked == isRanked)
  }
}
