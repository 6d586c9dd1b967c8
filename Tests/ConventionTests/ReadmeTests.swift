// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Testing

/// The statements of the pages at the root of the repository have to agree with their sources.
@Suite struct ReadmeTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
  }

  @Test func `Links to files of the repository lead to files, and to headings in them`() throws {
    var links = 0
    for page in try pages() {
      let folder = Self.root.appending(path: page).deletingLastPathComponent()
      for link in try text(page).matches(of: /\]\(([^)#:]*)(?:#([^)]*))?\)/) {
        let (path, heading) = (String(link.output.1), link.output.2.map(String.init))
        let file = path.isEmpty ? Self.root.appending(path: page) : folder.appending(path: path)
        links += 1
        guard FileManager.default.fileExists(atPath: file.path) else {
          Issue.record("\(page) links to \(path)")
          continue
        }
        guard let heading else { continue }
        let headings = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("#") }
        #expect(headings.map(anchor).contains(heading), "\(page) links to \(path)#\(heading)")
      }
    }
    #expect(links > 90, "Hardly any links were found: the expression is broken")
  }

  /// Returns the pages outside the built documentation, whose links are those of a forge.
  private func pages() throws -> [String] {
    let fixed = ["Fuzz/README.md", "Benchmarks/README.md"]
    return try fixed
      + ["", "Documentation", "Documentation/Decisions", "skills/penstock"].flatMap { folder in
        try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: folder).path)
          .filter { $0.hasSuffix(".md") }.map { folder.isEmpty ? $0 : "\(folder)/\($0)" }
      }
  }

  /// Returns the anchor that a forge makes of a heading.
  private func anchor(of heading: Substring) -> String {
    heading.drop { $0 == "#" }.trimmingPrefix(" ").lowercased().replacing(" ", with: "-")
      .filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
  }

  @Test func `Twenty questions of someone who decides have an answer and a place each, one click from the README`()
    throws
  {
    let page = "Documentation/BeforeYouDependOnIt.md"
    #expect(try text("README.md").contains("](\(page))"))
    let rows = try text(page).matches(of: /(?m)^\| (\d+)\. [^|]+\? \| [^|]{3,} \| \[[^|]+\]\([^|]+\) \|$/)
    #expect(rows.compactMap { Int($0.output.1) } == Array(1...20))
  }

  @Test func `The guide to testing begins with the lines of the example that runs over any Combine`() throws {
    let page = try text("Sources/PenstockTesting/PenstockTesting.docc/TestingAPipeline.md")
    let sources = try ["Sources/Suggestions/Suggestions.swift", "Tests/SuggestionsTests/SuggestionsTests.swift"]
      .map { try text("Examples/AnyCombine/\($0)") }.joined(separator: "\n").split(separator: "\n")
      .map { $0.trimming { $0 == " " } }
    let quotations = page.components(separatedBy: "<!-- not built: quotation -->\n```swift\n").dropFirst()
    #expect(quotations.count == 2)
    for line in quotations.flatMap({ $0.components(separatedBy: "\n```")[0].split(separator: "\n") }) {
      #expect(sources.contains(line.trimming { $0 == " " }), "The example has no line \(line)")
    }
  }

  @Test func `The messages in the skill are those of the compiler and of the library`() throws {
    let folder = Self.root.appending(path: "Utilities/messages")
    let kept = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".txt") }
    let traps = "Sources/PenstockCore/Engine/State/Violation.swift"
    let known = try kept.map { try text("Utilities/messages/\($0)") }.joined() + text(traps)
    let sections = try text("skills/penstock/messages.md").split(separator: "\n## ").filter {
      $0.hasPrefix("Mistakes, and what") || $0.hasPrefix("Messages of the library")
    }
    let columns = [1, 0]  // The message is in the second column of the first table, and in the first of the other.
    #expect(sections.count == columns.count)
    for (section, column) in zip(sections, columns) {
      let rows = section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
      #expect(rows.count > 5)
      for row in rows {
        let message = row.split(separator: " | ")[column].trimming { "`| ".contains($0) }
        if !known.contains(message) { Issue.record("Nothing says: \(message)") }
      }
    }
  }

  @Test func `A decision has its headings and its line in the index`() throws {
    let folder = "Documentation/Decisions"
    let index = try text("\(folder)/README.md")
    let decisions = try pages().filter { $0.hasPrefix(folder) && !$0.hasSuffix("README.md") }
    #expect(decisions.count > 10)
    for decision in decisions {
      let name = URL(filePath: decision).lastPathComponent
      #expect(index.contains("](\(name))"), "\(folder)/README.md does not list \(name)")
      let headings = try text(decision).split(separator: "\n").filter { $0.hasPrefix("## ") }
      #expect(headings == ["## Context", "## Decision", "## What it costs", "## What would change it"], "\(name)")
    }
  }

  @Test func `The README's figures of speed are those of the last run`() throws {
    let (readme, benchmarks) = (try text("README.md"), try text("Benchmarks/README.md"))
    let mean = try #require(
      benchmarks.firstMatch(of: /Geometric mean of (\d+) ratios: ([\d.]+); lowest ratio: ([\d.]+)/))
    #expect(
      readme.contains(
        "\(mean.output.2) times OpenCombine 0.14.0, the geometric mean of \(mean.output.1) workloads; the lowest is \(mean.output.3)"
      ))
    let byHand = try #require(benchmarks.firstMatch(of: /\| map\.filter\.sink +\| +[\d.]+ \| +[\d.]+ \| +([\d.]+) \|/))
    #expect(readme.contains("`map.filter.sink` costs \(byHand.output.1) times"))
  }

  @Test func `The README's figure of the surface is the floor that CI holds`() throws {
    let floor = try #require(Int(try text("Utilities/surface/floor").trimmingCharacters(in: .whitespacesAndNewlines)))
    let grouped = "\(floor / 1000),\(floor % 1000)"
    #expect(try text("README.md").contains("\(grouped) of \(grouped) declarations"))
  }

  @Test func `The README's minimum systems and products are the manifest's`() throws {
    let (readme, manifest) = (try text("README.md"), try text("Package.swift"))
    for minimum in manifest.matches(of: /\.(macOS|iOS|tvOS|watchOS|visionOS)\(\.v(\d+)\)/) {
      #expect(readme.contains("\(minimum.output.1) \(minimum.output.2)"))
    }
    for product in manifest.matches(of: /\.library\(name: "(\w+)"/) {
      #expect(readme.contains("`\(product.output.1)`"), "The README does not name the product \(product.output.1)")
    }
    let tools = try #require(manifest.firstMatch(of: /swift-tools-version: ([\d.]+)/))
    #expect(readme.contains("Swift \(tools.output.1) or later"))
  }

  @Test func `The README counts the systems of the Tour`() throws {
    let scenarios = try text("Examples/Sources/Scenarios/Scenario.swift")
    let list = try #require(scenarios.firstMatch(of: /static let all = \[([^\]]+)\]/))
    let count = list.output.1.split(separator: ",").count { $0.contains(/\w/) }
    let formatter = NumberFormatter()
    formatter.locale = Locale(identifier: "en")
    formatter.numberStyle = .spellOut
    let number = try #require(formatter.string(from: NSNumber(value: count)))
    let word = number.prefix(1).uppercased() + number.dropFirst()
    #expect(try text("README.md").contains("\(word) small systems"))
  }
}

extension Substring {
  fileprivate func trimming(_ isEdge: (Character) -> Bool) -> Substring {
    guard let end = lastIndex(where: { !isEdge($0) }) else { return "" }
    return self[...end].drop(while: isEdge)
  }
}
