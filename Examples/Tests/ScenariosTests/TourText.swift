// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation

/// The expected output of the Tour: `Examples/tour.txt`, which `Examples/check-tour` reads as well.
enum TourText {
  static let examples = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// All its lines.
  static func lines() throws -> [String] {
    var lines = try String(contentsOf: examples.appending(path: "tour.txt"), encoding: .utf8)
      .components(separatedBy: "\n")
    // The file ends with a line break.
    lines.removeLast()
    return lines
  }

  /// The headings with the lines below them, in the order of the file.
  static func sections() throws -> [(heading: String, lines: [String])] {
    var sections: [(heading: String, lines: [String])] = []
    for line in try lines() {
      if line.hasPrefix("——— "), line.hasSuffix(" ———") {
        // An empty line separates two scenarios.
        if sections.last?.lines.last == "" { sections[sections.count - 1].lines.removeLast() }
        sections.append((String(line.dropFirst(4).dropLast(4)), []))
      } else if !sections.isEmpty {
        sections[sections.count - 1].lines.append(line)
      }
    }
    return sections
  }

  /// Returns a line without the one part that differs between machines: the length of a Dispatch tick.
  static func bare(_ line: String) -> String {
    line.replacing(#/rawValue: \d+/#, with: "rawValue: …")
  }
}
