// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation

/// What the Tour has to print: `Examples/tour.txt`, which `Examples/check-tour` reads as well.
enum TourText {
  static let examples = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// All its lines.
  static func lines() throws -> [String] {
    var lines = try String(contentsOf: examples.appending(path: "tour.txt"), encoding: .utf8)
      .components(separatedBy: "\n")
    // The file ends with the end of a line.
    lines.removeLast()
    return lines
  }

  /// The headings and what is printed below them, in the order of the file.
  static func sections() throws -> [(heading: String, lines: [String])] {
    var sections: [(heading: String, lines: [String])] = []
    for line in try lines() {
      if line.hasPrefix("——— "), line.hasSuffix(" ———") {
        // One empty line is between two systems.
        if sections.last?.lines.last == "" { sections[sections.count - 1].lines.removeLast() }
        sections.append((String(line.dropFirst(4).dropLast(4)), []))
      } else if !sections.isEmpty {
        sections[sections.count - 1].lines.append(line)
      }
    }
    return sections
  }

  /// A line without the one thing that differs from machine to machine: how Dispatch counts its ticks.
  static func bare(_ line: String) -> String {
    line.replacing(#/rawValue: \d+/#, with: "rawValue: …")
  }
}
