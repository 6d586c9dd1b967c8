// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Testing

/// A folder of the machinery, with what it may use: the folders of lower layers.
private struct Layer: CustomTestStringConvertible, Sendable {
  let folder: String
  let rank: Int

  var testDescription: String { folder }

  static let all = [
    Layer(folder: "State", rank: 0),
    Layer(folder: "Subscription", rank: 1),
    Layer(folder: "Serial", rank: 2),
    Layer(folder: "Stages", rank: 3),
    Layer(folder: "Fusion", rank: 4),
    Layer(folder: "FanIn", rank: 5), Layer(folder: "FanOut", rank: 5), Layer(folder: "Scheduled", rank: 5),
    Layer(folder: "Sequential", rank: 5), Layer(folder: "Sources", rank: 5),
  ]

  static let root = "Sources/PenstockCore/Machinery/"

  /// The files of the folder.
  var files: [SourceFile] { SourceFile.core.filter { $0.path.hasPrefix(Self.root + folder + "/") } }

  /// Whether this folder's files may use what another folder declares.
  func mayUse(_ other: Layer) -> Bool { other.rank < rank || other.folder == folder }
}

/// Which file uses what which file declares.
private struct Uses: Sendable {
  /// The types and functions that each file of the machinery declares, by path.
  let declared: [String: Set<String>]
  /// The same, and the methods that each file adds to other types.
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
    (self.declared, self.offered, self.words) = (declared, offered, words)
  }

  /// Whether a file uses a declaration of another one.
  func uses(_ path: String, _ other: String) -> Bool { isNamed(declared[other], in: path, other) }

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

  @Test(arguments: Layer.all)
  fileprivate func `A layer uses lower layers only`(_ layer: Layer) {
    for other in Layer.all where !layer.mayUse(other) {
      for file in layer.files {
        for used in other.files {
          // Apart from the expectation, which would print all uses.
          let isUsed = Uses.all.uses(file.path, used.path)
          #expect(!isUsed, "\(file.path) uses \(used.path)")
        }
      }
    }
  }

  @Test(arguments: SourceFile.core.filter { $0.path.contains("/Machinery/") && !$0.path.hasPrefix(Layer.root) })
  fileprivate func `An engine beside its owner is not used by the shared machinery`(_ engine: SourceFile) {
    for file in Layer.all.flatMap(\.files) {
      #expect(!Uses.all.uses(file.path, engine.path), "\(file.path) uses \(engine.path)")
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
