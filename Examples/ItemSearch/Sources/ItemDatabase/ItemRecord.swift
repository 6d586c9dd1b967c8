// SPDX-License-Identifier: MIT
// Part of Penstock: Combine for everywhere Swift runs.

public import GRDB

/// Everything that is known about an item.
public struct ItemRecord: Codable, FetchableRecord, Hashable, Sendable, TableRecord {
  /// The table to which the record belongs.
  public static let databaseTableName = "item"

  /// Its name, which no other item has.
  public var name: String
  /// What kind of item it is.
  public var section: String
  /// A line about it.
  public var summary: String
  /// Its version.
  public var version: String
  /// Its maintainer.
  public var maintainer: String
  /// The address of its home page.
  public var homepage: String
  /// How large it is, in kibibytes.
  public var size: Int

  /// Creates a record.
  public init(
    name: String, section: String = "", summary: String, version: String = "", maintainer: String = "",
    homepage: String = "", size: Int = 0
  ) {
    (self.name, self.section, self.summary, self.version) = (name, section, summary, version)
    (self.maintainer, self.homepage, self.size) = (maintainer, homepage, size)
  }
}
