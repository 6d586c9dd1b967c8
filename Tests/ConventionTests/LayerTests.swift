// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Testing

/// A folder of the engine.
///
/// `Utilities/layers` checks, by types, which folder may use which.
private struct Layer: CustomTestStringConvertible, Sendable {
  let folder: String

  var testDescription: String { folder }

  static let all = [
    "State", "Registry", "Subscription", "Serial", "Stages", "Fusion", "FanIn", "FanOut", "Scheduled", "Sequential",
  ].map(Layer.init)

  /// The engines of sources and of families of operators, which need no second user.
  static let families = [
    "Buffering", "Combining", "Debugging", "Flattening", "Prefixing", "Sources", "Timing",
  ].map(Layer.init)

  /// What all of them stand on.
  static let hooks = root + "ProtocolHooks.swift"

  static let root = "Sources/PenstockCore/Engine/"

  /// The files of the folder.
  var files: [SourceFile] { SourceFile.core.filter { $0.path.hasPrefix(Self.root + folder + "/") } }
}

/// The uses of each file's declarations by other files.
private struct Uses: Sendable {
  /// The types and functions that each file behind the API declares, and the methods that it adds to other types, by path.
  let offered: [String: Set<Substring>]
  /// The files that use something of that, by path.
  let users: [String: [String]]

  static let all = Uses(SourceFile.sources)

  init(_ files: [SourceFile]) {
    var (declared, offered): ([String: Set<Substring>], [String: Set<Substring>]) = ([:], [:])
    var words: [String: Set<Substring>] = [:]
    for file in files {
      words[file.path] = Set(file.code.flatMap { SourceFile.words(of: $0.text) })
      guard file.isEngine else { continue }
      var isExtension = false
      for (_, line) in file.code {
        if !line.hasPrefix(" ") {
          isExtension = line.hasPrefix("extension") || (isExtension && !line.hasPrefix("}"))
          if let match = line.firstMatch(of: /\b(class|struct|enum|protocol|func|var|let) (\w+)/) {
            declared[file.path, default: []].insert(match.output.2)
          }
        } else if isExtension, let match = line.firstMatch(of: /^  .*\bfunc (\w+)/) {
          offered[file.path, default: []].insert(match.output.1)
        }
      }
      if let types = declared[file.path] { offered[file.path, default: []].formUnion(types) }
    }
    self.offered = offered
    var users: [String: [String]] = [:]
    for (path, names) in offered {
      users[path] = words.keys.filter { $0 != path && !names.isDisjoint(with: words[$0]!) }
    }
    self.users = users
  }

  /// Returns the files of the API that use a file's declarations, directly or through other files behind it.
  func users(of path: String) -> Set<String> {
    var (found, seen, next): (Set<String>, Set<String>, [String]) = ([], [path], [path])
    while let current = next.popLast() {
      for user in users[current] ?? [] where !seen.contains(user) {
        seen.insert(user)
        if SourceFile.engines.contains(user) { next.append(user) } else { found.insert(user) }
      }
    }
    return found
  }
}

/// The rules of the engine's folders.
@Suite struct LayerTests {
  @Test func `Every file of the core's engine is in the folder of a layer`() {
    let known = (Layer.all + Layer.families).flatMap(\.files).map(\.path)
    #expect(known.count > 30)
    for file in SourceFile.core where file.path.hasPrefix(Layer.root) && file.path != Layer.hooks {
      #expect(known.contains(file.path), "\(file.path) is in no layer")
    }
  }

  @Test(arguments: Layer.all.flatMap(\.files))
  fileprivate func `A shape has three users at least, and what several families share has two`(_ file: SourceFile) {
    // A file that only extends its own types offers nothing that others could name.
    guard Uses.all.offered[file.path] != nil else { return }
    let users = Uses.all.users(of: file.path)
    let isShape = file.text.contains(/class \w+(Subscriber|Core|Subscription)\b/)
    #expect(users.count >= (isShape ? 3 : 2), "\(file.path) is used by \(users.sorted())")
  }
}
