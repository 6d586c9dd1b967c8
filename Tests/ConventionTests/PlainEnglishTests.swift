// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Testing

/// Comments and pages are to be read once, by people who know Combine.
@Suite struct PlainEnglishTests {
  /// Phrases that need a second reading, and what to say.
  private static let phrases = [
    "anew": "again",
    "so many": "that many, or the number's name",
    "tells of": "reports",
    "told of": "told about",
    "by itself": "on its own, or separately",
    "looks whether": "checks whether",
    "look whether": "check whether",
    "would else": "would otherwise",
    "could else": "could otherwise",
    "whichever that is": "nothing",
    "in its turn": "in turn",
    "lets go of": "releases",
    "let go of": "release",
    "goes on": "continues",
    "what becomes of": "what happens to",
    "machinery": "engine",
  ]

  @Test(arguments: SourceFile.sources + SourceFile.tests + SourceFile.pages)
  fileprivate func `Comments and pages avoid phrases that need a second reading`(_ file: SourceFile) {
    for (number, line) in file.prose {
      let text = line.lowercased()
      for (phrase, instead) in Self.phrases where text.mentions(phrase) && text.hasPhrase(phrase) {
        Issue.record("\(file.path):\(number) has “\(phrase)”: say \(instead)")
      }
      // A sentence whose subject is a person that it does not name.
      if line.mentions("Who "), line.contains(/(?:^|\. )Who [a-z]+s? (?!.*\?)/) {
        Issue.record(
          "\(file.path):\(number) begins a sentence with “Who”: name the caller, the subscriber or the reader")
      }
    }
  }
}

extension SourceFile {
  /// The pages of the project.
  static let pages = ["Sources", "Documentation", "skills"].flatMap { all(below: $0) }
    .filter { $0.path.hasSuffix(".md") }

  /// The lines of comments, or of a page, without code, each with its number.
  fileprivate var prose: [(number: Int, text: String)] {
    var isFence = false
    let isPage = path.hasSuffix(".md")
    return lines.enumerated().compactMap { index, line in
      var text = Substring(line).drop { $0 == " " }
      if !isPage {
        guard text.hasPrefix("//") else { return nil }
        text = text.drop { $0 == "/" || $0 == " " }
      }
      if text.hasPrefix("```") {
        isFence.toggle()
        return nil
      }
      return isFence
        ? nil : (index + 1, text.contains("`") ? String(text.replacing(/`[^`]*`/, with: "")) : String(text))
    }
  }
}

extension String {
  /// Whether a phrase is in the text, as words of their own.
  fileprivate func hasPhrase(_ phrase: String) -> Bool {
    var rest = self[...]
    while let found = rest.firstRange(of: phrase) {
      let before = found.lowerBound == rest.startIndex ? nil : rest[rest.index(before: found.lowerBound)]
      let after = found.upperBound == rest.endIndex ? nil : rest[found.upperBound]
      if before?.isLetter != true, after?.isLetter != true { return true }
      rest = rest[found.upperBound...]
    }
    return false
  }
}
