// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Testing

/// A folder of the machinery.
///
/// Which may use which is checked by types: see `Utilities/layers`.
private struct Layer: CustomTestStringConvertible, Sendable {
  let folder: String

  var testDescription: String { folder }

  static let all = [
    "State", "Subscription", "Serial", "Stages", "Fusion", "FanIn", "FanOut", "Scheduled", "Sequential",
  ].map(Layer.init)

  static let root = "Sources/PenstockCore/Machinery/"

  /// The files of the folder.
  var files: [SourceFile] { SourceFile.core.filter { $0.path.hasPrefix(Self.root + folder + "/") } }
}

/// Which file uses what which file declares.
private struct Uses: Sendable {
  /// The types and functions that each file of the machinery declares, and the methods that it adds to other types, by path.
  let offered: [String: Set<String>]
  /// The words of each file's code, by path.
  let words: [String: Set<Substring>]

  static let all = Uses(SourceFile.sources)

  init(_ files: [SourceFile]) {
    var (declared, offered): ([String: Set<String>], [String: Set<String>]) = ([:], [:])
    var words: [String: Set<Substring>] = [:]
    for file in files {
      words[file.path] = Set(
        file.code.flatMap { $0.text.split { !$0.isLetter && !$0.isNumber && $0 != "_" } })
      guard file.path.contains("/Machinery/") else { continue }
      var isExtension = false
      for (_, line) in file.code {
        if !line.hasPrefix(" ") {
          isExtension = line.hasPrefix("extension") || (isExtension && !line.hasPrefix("}"))
          if let match = line.firstMatch(of: /\b(class|struct|enum|protocol|func|var|let) (\w+)/) {
            declared[file.path, default: []].insert(String(match.output.2))
          }
        } else if isExtension, let match = line.firstMatch(of: /^  .*\bfunc (\w+)/) {
          offered[file.path, default: []].insert(String(match.output.1))
        }
      }
      if let types = declared[file.path] { offered[file.path, default: []].formUnion(types) }
    }
    (self.offered, self.words) = (offered, words)
  }

  private func isNamed(_ names: Set<String>?, in path: String, _ other: String) -> Bool {
    guard path != other, let names, let words = words[path] else { return false }
    return names.contains { words.contains(Substring($0)) }
  }

  /// The files outside the machinery that use a file's declarations, directly or by other files of the machinery.
  func users(of path: String) -> Set<String> {
    var (found, seen, next): (Set<String>, Set<String>, [String]) = ([], [path], [path])
    while let current = next.popLast() {
      for user in words.keys where !seen.contains(user) && isNamed(offered[current], in: user, current) {
        seen.insert(user)
        if user.contains("/Machinery/") { next.append(user) } else { found.insert(user) }
      }
    }
    return found
  }
}

/// The rules of the machinery's folders.
@Suite struct LayerTests {
  @Test func `Every file of the core's machinery is in the folder of a layer`() {
    let known = Layer.all.flatMap(\.files).map(\.path)
    #expect(known.count > 30)
    for file in SourceFile.core where file.path.hasPrefix(Layer.root) {
      #expect(known.contains(file.path), "\(file.path) is in no layer")
    }
  }

  @Test(arguments: Layer.all.flatMap(\.files))
  fileprivate func `A shape has three users at least, and what several families share has two`(_ file: SourceFile) {
    // A file of extensions of its own types only offers nothing that others could name.
    guard Uses.all.offered[file.path] != nil else { return }
    let users = Uses.all.users(of: file.path)
    let isShape = file.text.contains(/class \w+(Subscriber|Core|Subscription)\b/)
    #expect(users.count >= (isShape ? 3 : 2), "\(file.path) is used by \(users.sorted())")
  }
}
