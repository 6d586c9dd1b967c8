// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import Foundation

/// Reads the packages of a list in the format of Debian's control files, piece by piece.
///
/// A paragraph is a package, a line is a field, and a line that begins with a space belongs to the field before it.
public struct PackageListParser {
  private var rest = Data()
  private var record = ItemRecord(name: "", summary: "")

  /// Creates a parser at the beginning of a list.
  public init() {}

  /// Reads a piece of the list.
  ///
  /// - Parameters:
  ///   - piece: The piece; it may end anywhere.
  ///   - found: Called with each package that is complete.
  public mutating func read(_ piece: Data, _ found: (ItemRecord) -> Void) {
    rest.append(piece)
    rest = rest.withUnsafeBytes { bytes in
      guard var start = bytes.baseAddress else { return Data() }
      let end = start + bytes.count
      // There are a million lines: the C library finds their ends at full speed even in a debug build.
      while let newline = memchr(start, 0x0A, end - start) {
        read(line: UnsafeRawBufferPointer(start: start, count: UnsafeRawPointer(newline) - start), found)
        start = UnsafeRawPointer(newline) + 1
      }
      return Data(bytes: start, count: end - start)
    }
  }

  /// Ends the list.
  ///
  /// - Parameter found: Called with the last package.
  public mutating func finish(_ found: (ItemRecord) -> Void) {
    read(Data("\n\n".utf8), found)
  }

  private static let initials = (UInt8.min...UInt8.max).map { "PSDVMHI".utf8.contains($0) }

  private mutating func read(line: UnsafeRawBufferPointer, _ found: (ItemRecord) -> Void) {
    guard let first = line.first else {
      if !record.name.isEmpty { found(record) }
      record = ItemRecord(name: "", summary: "")
      return
    }
    // Most lines belong to fields that are not needed; the first letter is enough to skip most of them.
    guard Self.initials[Int(first)], let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
    func value() -> String {
      String(decoding: line[(colon + 1)...].drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
    }
    switch String(decoding: line[..<colon], as: UTF8.self) {
    case "Package": record.name = value()
    // An area of the archive may be part of it: "contrib/games".
    case "Section": record.section = value().split(separator: "/").last.map(String.init) ?? ""
    case "Description", "Description-en": record.summary = value()
    case "Version": record.version = value()
    case "Maintainer": record.maintainer = value()
    case "Homepage": record.homepage = value()
    case "Installed-Size": record.size = Int(value()) ?? 0
    default: break
    }
  }
}
