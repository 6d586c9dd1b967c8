// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation

/// The names of what the library's sources declare publicly, for tests that compare a roster with them.
public enum PublicNames {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")
    .standardized

  /// The operators: the public methods in extensions of `Publisher`.
  public static func operators(in folder: String) throws -> Set<String> {
    var names: Set<String> = []
    for text in try texts(in: folder) {
      for block in text.matches(of: /\nextension Publisher\b(?s:.*?)\n\}/) {
        for method in block.output.matches(of: /public (?:[a-z]+ )*func (\w+)/) {
          names.insert(String(method.output.1))
        }
      }
    }
    return names
  }

  /// The public types that conform to a protocol of streams.
  public static func types(in folder: String) throws -> Set<String> {
    var names: Set<String> = []
    for text in try texts(in: folder) {
      for type in text.matches(
        of:
          /public (?:final class|struct) (\w+)[^{]*?: [^{]*?\b((?:Connectable)?Publisher|Subject|Relay|Subscriber|Scheduler)\b[^{]*\{/
      ) {
        names.insert(String(type.output.1))
      }
    }
    return names
  }

  /// The types of other modules that are made schedulers or coders.
  public static func conformers(in folder: String) throws -> Set<String> {
    var names: Set<String> = []
    for text in try texts(in: folder) {
      for type in text.matches(of: /\nextension (\w+): (?:Scheduler|TopLevelEncoder|TopLevelDecoder)\b/) {
        names.insert(String(type.output.1))
      }
    }
    return names
  }

  /// The makers of publishers: the public methods, properties and initializers in extensions of other types than
  /// `Publisher` whose results are publishers.
  public static func makers(in folder: String) throws -> Set<String> {
    var names: Set<String> = []
    for text in try texts(in: folder) {
      for block in text.matches(of: /\nextension ([\w.]+)(?s:.*?)\n\}/) where block.output.1 != "Publisher" {
        let type = String(block.output.1)
        for member in block.output.0.matches(of: /\n  public (?:[a-z]+ )*(?:func|var) (\w+)([^{]*)\{/)
        where member.output.2.contains(/(?:->|:) [^>]*(?:Publisher\b|MergeMany<|DispatchTimer\b)/) {
          names.insert(type + "." + member.output.1)
        }
        if ["Deferred", "Future"].contains(type) { names.insert(type + ".init") }
      }
    }
    return names
  }

  /// The operators and publishers that take a scheduler.
  public static func scheduled(in folder: String) throws -> Set<String> {
    var names: Set<String> = []
    for text in try texts(in: folder) {
      for method in text.matches(of: /public (?:[a-z]+ )*func (\w+)<[^{]*?: Scheduler\b/) {
        names.insert(String(method.output.1))
      }
    }
    return names
  }

  /// A page of the documentation, with its lines joined.
  public static func page(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8).split { $0.isWhitespace }.joined(separator: " ")
  }

  private static func texts(in folder: String) throws -> [String] {
    let base = root.appending(path: folder)
    let names = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
    return try names.filter { $0.hasSuffix(".swift") && !$0.contains("Engine/") }.sorted().map {
      try String(contentsOf: base.appending(path: $0), encoding: .utf8)
    }
  }
}
