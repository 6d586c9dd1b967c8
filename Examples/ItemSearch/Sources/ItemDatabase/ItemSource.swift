// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

import Foundation

/// The source of the items of a new database.
public enum ItemSource: Sendable {
  /// Every package that the machine could install, or has installed; if there are none, the items that ship with the
  /// example.
  case system
  /// The items that ship with the example: about a hundred things that carry water.
  case shipped
  /// These records.
  case records([ItemRecord])

  /// Reads the items.
  ///
  /// - Returns: The items, each name once, and where they come from.
  public func load() throws -> (records: [ItemRecord], origin: String) {
    switch self {
    case .records(let records):
      return (Self.inOrder(records), "the caller")
    case .shipped:
      return (Self.inOrder(try Self.shippedRecords()), "the example's own list")
    case .system:
      for list in [Self.availablePackages, Self.installedPackages] {
        if let (records, origin) = list(), !records.isEmpty { return (Self.inOrder(records), origin) }
      }
      return try Self.shipped.load()
    }
  }

  /// Sorts short names first, so that results without ranking begin with them; of equal names, the first is kept.
  private static func inOrder(_ records: [ItemRecord]) -> [ItemRecord] {
    var names: Set<String> = []
    return records.filter { names.insert($0.name).inserted }
      .sorted { ($0.name.utf8.count, $0.name) < ($1.name.utf8.count, $1.name) }
  }

  private static func availablePackages() -> ([ItemRecord], String)? {
    let program = "/usr/bin/apt-cache"
    guard FileManager.default.isExecutableFile(atPath: program) else { return nil }
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(filePath: program)
    process.arguments = ["dumpavail"]
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let records = packages(in: pipe.fileHandleForReading)
    process.waitUntilExit()
    return process.terminationStatus == 0 ? (records, "apt-cache dumpavail") : nil
  }

  private static func installedPackages() -> ([ItemRecord], String)? {
    let path = "/var/lib/dpkg/status"
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    return (packages(in: file), path)
  }

  private static func packages(in file: FileHandle) -> [ItemRecord] {
    var (parser, records) = (PackageListParser(), [ItemRecord]())
    while let piece = try? file.read(upToCount: 1 << 20), !piece.isEmpty {
      parser.read(piece) { records.append($0) }
    }
    parser.finish { records.append($0) }
    return records
  }

  private static func shippedRecords() throws -> [ItemRecord] {
    guard let url = Bundle.module.url(forResource: "items", withExtension: "tsv") else {
      throw CocoaError(.fileNoSuchFile)
    }
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return ItemRecord(name: fields[0], section: fields[1], summary: fields[2], maintainer: "The example's authors")
    }
  }
}
