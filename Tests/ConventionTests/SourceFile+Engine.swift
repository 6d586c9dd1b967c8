// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

extension SourceFile {
  /// Whether a user of the library sees nothing of what the file declares.
  ///
  /// A name that begins with an underscore is public for the compiler only.
  var isEngine: Bool { Self.engines.contains(path) }

  /// The paths of the files that are engines.
  static let engines = Set(
    sources.filter { $0.path.contains("/Engine/") || !$0.declaresAPI(hiding: hiddenTypes) }.map(\.path))

  private func declaresAPI(hiding hiddenTypes: Set<Substring>) -> Bool {
    // Files under a condition are indented as a whole.
    let lines = code.map(\.text).filter { !$0.isEmpty && !$0.hasPrefix("#") }
    let margin = lines.map(Self.indentation).min() ?? 0
    var isVisible = false
    for line in lines {
      let isMember = Self.indentation(line) > margin
      if isMember, !isVisible { continue }
      let words = Self.words(of: line)
      guard let kind = words.firstIndex(where: Self.kinds.contains), kind + 1 < words.count else { continue }
      let isNamed = words[kind] != "init" && words[kind] != "subscript"
      let isPublic = words[..<kind].contains { $0 == "public" || $0 == "open" }
      if isPublic, !isNamed || !words[kind + 1].hasPrefix("_") { return true }
      if !isMember { isVisible = words[kind] == "extension" && !hiddenTypes.contains(words[kind + 1]) }
    }
    return false
  }

  /// Returns the words of a line, separated by its bytes: separating by characters takes a hundred times as long.
  static func words(of line: String) -> [Substring] {
    line.utf8.split { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
        false
      default: true
      }
    }.map { Substring($0) }
  }

  private static func indentation(_ line: String) -> Int { line.utf8.prefix { $0 == UInt8(ascii: " ") }.count }

  private static let kinds: Set<Substring> = [
    "actor", "associatedtype", "class", "enum", "extension", "func", "init", "let", "protocol", "struct", "subscript",
    "typealias", "var",
  ]

  /// The types at the top of a file that are not public.
  private static let hiddenTypes: Set<Substring> = {
    var types: [Substring: Bool] = [:]
    for file in sources {
      for (_, line) in file.code where indentation(line) <= 2 {
        let words = words(of: line)
        let isType: (Substring) -> Bool = { ["actor", "class", "enum", "protocol", "struct"].contains($0) }
        guard let kind = words.firstIndex(where: isType), kind + 1 < words.count else { continue }
        let isPublic = words[..<kind].contains { $0 == "public" || $0 == "open" }
        // The same name may belong to a hidden type in one module, and to a public type in another.
        types[words[kind + 1]] = types[words[kind + 1], default: true] && !isPublic || words[kind + 1].hasPrefix("_")
      }
    }
    return Set(types.filter(\.value).keys)
  }()
}
