// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Testing

/// The article "Writing a publisher that keeps the rules", which quotes the example.
@Suite struct ArticleTests {
  private func text(_ path: String) throws -> String {
    try String(contentsOf: TourText.examples.appending(path: path), encoding: .utf8)
  }

  /// The blocks with an output are run by `Utilities/docs/snippets`, and the mistakes are nowhere else.
  @Test func `What the article shows as right is in the example, line by line and in order`() throws {
    let article = try text("../Sources/PenstockCore/PenstockCore.docc/WritingAPublisher.md")
    let source = try ["TextFile", "Lines"].flatMap {
      try text("Sources/Scenarios/\($0).swift").components(separatedBy: "\n")
    }
    let blocks = article.components(separatedBy: "```swift\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
      .filter { !$0.contains("// Wrong: ") && !$0.contains("// Prints") }
    #expect(blocks.count > 20)
    for block in blocks {
      let quoted = block.components(separatedBy: "\n").dropLast()
      var rest = source[...]
      for line in quoted {
        let found = rest.firstIndex(of: line)
        #expect(found != nil, "The example has no line “\(line)”, or not behind the one above it")
        rest = rest[((found ?? rest.startIndex) + 1)...]
      }
    }
  }
}
