// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation

/// The public structures, classes, enumerations and actors that the libraries declare, read from the source.
enum DeclaredTypes {
  static func ofTheLibraries() -> Set<String> {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources")
    let names = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix(".swift") }.reduce(into: []) { types, name in
      types.formUnion(declared(in: (try? String(contentsOf: sources.appending(path: name), encoding: .utf8)) ?? ""))
    }
  }

  /// Indentation, which the formatter guarantees, tells to which type a line belongs.
  private static func declared(in text: String) -> Set<String> {
    var types: Set<String> = []
    var enclosing: [(indentation: Int, name: String)] = []
    for line in text.split(separator: "\n") {
      let indentation = line.utf8.prefix { $0 == UInt8(ascii: " ") }.count
      let words = line.utf8.dropFirst(indentation).split(separator: UInt8(ascii: " "), maxSplits: 6)
        .map { String(Substring($0)) }
      guard let first = words.first, !first.hasPrefix("//"), !first.hasPrefix("#") else { continue }
      while let last = enclosing.last, last.indentation >= indentation { enclosing.removeLast() }
      let kinds = ["struct", "class", "enum", "actor", "extension"]
      guard let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count,
        words[kind + 1].first?.isUppercase == true, !words[..<kind].contains("case")
      else { continue }
      enclosing.append((indentation, String(words[kind + 1].prefix { $0.isLetter || $0.isNumber || $0 == "." })))
      if words[..<kind].contains("public"), words[kind] != "extension" {
        types.insert(enclosing.map(\.name).joined(separator: "."))
      }
    }
    return types
  }
}
