// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Testing

/// Compares the page of divergences with the tests that back its entries, in both directions.
///
/// An entry names its tests in italics, each with a period; or a suite, in the font of code.
@Suite struct DivergenceTests {
  /// An entry of the page.
  struct Entry: CustomTestStringConvertible, Sendable {
    let title: String
    /// The names in italics, in one text.
    let italics: String
    /// The suites that it names.
    let suites: [String]

    var testDescription: String { title }

    init(_ text: String) {
      let line = text.split(separator: "\n").joined(separator: " ").split(separator: " ").joined(separator: " ")
      title = String(line.firstMatch(of: /\*\*(.+?)\*\*/)?.output.1 ?? line[...])
      italics = line.replacing(/\*\*.+?\*\*/, with: "").matches(of: /\*([^*]+)\*/).map { String($0.output.1) }
        .joined(separator: " ")
      suites = line.matches(of: /`(\w+Tests)`/).map { String($0.output.1) }
    }

    static let all: [Entry] = {
      let page = SourceFile.all(below: "Sources/PenstockCore/PenstockCore.docc").first {
        $0.path.hasSuffix("Divergences.md")
      }
      var entries: [[Substring]] = []
      for line in (page?.text ?? "").split(separator: "\n", omittingEmptySubsequences: false) {
        if line.hasPrefix("- ") {
          entries.append([line.dropFirst(2)])
        } else if line.hasPrefix("  "), !entries.isEmpty {
          entries[entries.count - 1].append(line)
        }
      }
      return entries.map { Entry($0.joined(separator: "\n")) }
    }()
  }

  /// The names of the tests in the folders `Divergences`.
  private static let tests = SourceFile.tests.filter { $0.path.contains("/Divergences/") }.flatMap { file in
    file.text.matches(of: /func `([^`]+)`/).map { String($0.output.1) }
  }

  @Test func `There are entries and tests to compare`() {
    #expect(Entry.all.count > 80)
    #expect(Self.tests.count > 100)
  }

  @Test(arguments: Entry.all)
  fileprivate func `An entry names a test, or a suite that there is`(_ entry: Entry) {
    #expect(!entry.italics.isEmpty || !entry.suites.isEmpty, "no test holds: \(entry.title)")
    // What remains when the names of tests are removed is not the name of any test.
    var rest = entry.italics
    for name in Self.tests.sorted(by: { $0.count > $1.count }) { rest.replace(name + ".", with: "") }
    #expect(rest.allSatisfy { $0.isWhitespace }, "no test has this name: \(rest)")
    for suite in entry.suites {
      #expect(SourceFile.tests.contains { $0.text.contains("struct \(suite)") }, "there is no \(suite)")
    }
  }

  @Test func `Every test of a divergence is named by an entry`() {
    for name in Self.tests {
      #expect(Entry.all.contains { $0.italics.contains(name + ".") }, "not on the page: \(name)")
    }
  }
}
