// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation
import Testing

/// What the pages at the root of the repository say has to agree with what it is taken from.
@Suite struct ReadmeTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
  }

  @Test(arguments: ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "Fuzz/README.md", "Benchmarks/README.md"])
  func `Links to files of the repository lead to files`(_ page: String) throws {
    let folder = Self.root.appending(path: page).deletingLastPathComponent()
    for link in try text(page).matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/).map({ String($0.output.1) }) {
      let file = folder.appending(path: link)
      #expect(FileManager.default.fileExists(atPath: file.path), "\(page) links to \(link)")
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
    let word = try #require(formatter.string(from: NSNumber(value: count))).capitalized
    #expect(try text("README.md").contains("\(word) small systems"))
  }
}
